import SQLite
import SystemCalls
import Testing
import Vault

@Suite struct DestructionTests {
    private func wrapped(_ fixture: VaultFixture) throws -> [Int64: [UInt8]] {
        let connection = try Connection(path: fixture.ledger + "/keys/keys.sqlite", mode: .read)
        let all = try Statement(connection, "SELECT key_no, wrapped FROM session_key WHERE state = 1")
        var result: [Int64: [UInt8]] = [:]
        while try all.step() { result[all.int64(0)] = all.blob(1) }
        return result
    }

    @Test func `S98 a destroyed key is gone from every file and opens nothing`() throws {
        let fixture = try VaultFixture()
        let bytes = try #require(try wrapped(fixture)[7])
        let object = SessionKey.SmallObject.frozen(delivery: .random())
        let session = ObjectID.random()
        let key = try fixture.vault.sessionKey(7)
        let sealed = try key.seal([1], object, session: session)
        // The search finds it while it is there.
        #expect(try fixture.folder.files(holding: bytes) == ["my.ledger/keys/keys.sqlite"])

        #expect(try fixture.vault.destroy(7, atMilliseconds: 5))
        #expect(try !fixture.vault.destroy(7, atMilliseconds: 6))
        #expect(try fixture.folder.files(holding: bytes) == [])
        #expect(try fixture.folder.files(holding: Array(bytes[1..<13])) == [])
        #expect(try fixture.vault.keyState(7) == .destroyed)
        #expect(code { _ = try fixture.vault.sessionKey(7) } == .keyDestroyed)
        #expect(code { _ = try key.open(sealed, object, session: session) } == .keyDestroyed)
        #expect(code { _ = try key.seal([1], object, session: session) } == .keyDestroyed)
        #expect(code { _ = try fixture.openAgain().sessionKey(7) } == .keyDestroyed)
        #expect(try fixture.vault.keyState(8) == .active)
    }

    @Test func `S98 no destroyed key leaves a stale copy behind, whatever the order`() throws {
        let fixture = try VaultFixture()
        try fixture.vault.ensureMinted(through: 2048)
        let seed = CapturedSeed.value
        var random = SeededGenerator(seed)
        let bytes = try wrapped(fixture)
        let doomed = bytes.keys.sorted().shuffled(using: &random).prefix(1900)
        for number in doomed { try fixture.vault.destroy(number, atMilliseconds: 1) }
        let file = try fixture.folder.read("my.ledger/keys/keys.sqlite")
        #expect(try fixture.folder.files() == ["my.ledger/keys/keys.sqlite"])
        // Nonces are found by their first four bytes in one pass, and compared in full.
        var starts: [UInt32: [Int]] = [:]
        for index in 0..<file.count - 12 {
            let word = file[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            starts[word, default: []].append(index)
        }
        func places(_ number: Int64) -> Int {
            let nonce = Array(bytes[number]![1..<13])
            let word = nonce[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return (starts[word] ?? []).count { Array(file[$0..<$0 + 12]) == nonce }
        }
        #expect(doomed.count { places($0) > 0 } == 0, "seed \(seed)")
        let survivors = Set(bytes.keys).subtracting(doomed)
        #expect(survivors.allSatisfy { places($0) >= 1 })
    }

    @Test func `another open vault sees a destruction, at once or when it refreshes`() throws {
        let fixture = try VaultFixture()
        let other = try fixture.openAgain()
        try other.refresh()
        _ = try other.sessionKeyInBatch(3)
        try fixture.vault.destroy(3, atMilliseconds: 1)
        try other.refresh()
        #expect(code { _ = try other.sessionKeyInBatch(3) } == .keyDestroyed)
        _ = try other.sessionKey(4)
        try fixture.vault.destroy(4, atMilliseconds: 1)
        #expect(code { _ = try other.sessionKey(4) } == .keyDestroyed)
    }

    @Test func `the database itself refuses to bring a key back`() throws {
        let fixture = try VaultFixture()
        try fixture.vault.destroy(5, atMilliseconds: 1)
        let connection = try Connection(path: fixture.ledger + "/keys/keys.sqlite", mode: .write)
        for attack in [
            "UPDATE session_key SET state = 1, wrapped = zeroblob(61), destroyed_at_ms = NULL WHERE key_no = 5",
            "UPDATE session_key SET wrapped = zeroblob(61) WHERE key_no = 6",
            "DELETE FROM session_key WHERE key_no = 5",
            "INSERT INTO session_key (key_no, state, wrapped, destroyed_at_ms) VALUES (5, 1, zeroblob(61), NULL)",
            "INSERT OR REPLACE INTO session_key (key_no, state, wrapped, destroyed_at_ms) VALUES (5, 1, zeroblob(61), NULL)",
            "INSERT INTO session_key (key_no, state, wrapped, destroyed_at_ms) VALUES (9000, 2, zeroblob(61), 1)",
        ] {
            #expect(throws: SQLiteError.self, "\(attack)") { try connection.execute(attack) }
        }
        #expect(try fixture.vault.keyState(5) == .destroyed)
    }
}
