import Glibc
import SystemCalls
import Testing
import Vault

@Suite struct OrphanTests {
    @Test func `what a crash left is collected, what is in flight is not`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let known = ObjectID.random()
        _ = try fixture.vault.write(.media, known, key: key, [1])
        let forgotten = ObjectID.random()
        _ = try fixture.vault.write(.evidence, forgotten, key: key, [1])
        let inPlace = ObjectID.random()
        let held = try fixture.vault.write(.media, inPlace, key: key, [1])
        let staged = ObjectID.random()
        let writer = try fixture.vault.write(.media, staged, key: key)
        let crashed = ObjectID.random()
        try fixture.folder.write("my.ledger/media/staging/\(crashed.text)", pattern(50))
        try fixture.folder.write("my.ledger/media/staging/notes.txt", [1])

        let other = try fixture.openAgain()
        let expected: Set<ObjectID> = [forgotten, crashed]
        let listed = try other.orphans { _, id in id == known }
        #expect(Set(listed.map(\.id)) == expected)
        #expect(listed.contains { $0.kind == .media && $0.id == crashed && $0.isStaged && $0.byteCount == 50 })
        #expect(try fixture.folder.files().count == 7)
        #expect(Set(try other.orphans(removing: true) { _, id in id == known }.map(\.id)) == expected)
        #expect(try fixture.folder.files().count == 5)

        // The event of the one in place was appended while its lock was awaited.
        _ = held
        try writer.append([5])
        _ = try writer.finish()
        #expect(Set(try other.orphans { _, id in id == known || id == inPlace }.map(\.id)) == [staged])
    }

    @Test func `a writer that is let go of leaves nothing`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        do {
            let writer = try fixture.vault.write(.media, .random(), key: key)
            try writer.append(pattern(1_000_000))
        }
        #expect(try fixture.folder.files() == ["my.ledger/keys/keys.sqlite"])
        #expect(try fixture.vault.orphans { _, _ in false }.isEmpty)
    }

    @Test func `a leftover under the same name is replaced`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let id = ObjectID.random()
        try fixture.folder.write("my.ledger/media/staging/\(id.text)", pattern(500))
        _ = try fixture.vault.write(.media, id, key: key, [1, 2, 3])
        #expect(try fixture.vault.read(.media, id, key: key).readAll(limit: 3) == [1, 2, 3])
    }

    @Test func `a process that is killed while it writes leaves one orphan, and its lock is gone`() async throws {
        let fixture = try VaultFixture()
        let (ledger, bytes) = (fixture.ledger, fixture.masterKeyBytes)
        await #expect(processExitsWith: .signal(9)) { [ledger = ledger as String, bytes = bytes as [UInt8]] in
            let vault = try Vault.open(folder: ledger, masterKey: MasterKey(bytes)!)
            let writer = try vault.write(.media, .random(), key: vault.sessionKey(1))
            try writer.append(pattern(600_000))
            kill(getpid(), SIGKILL)
        }
        let orphans = try fixture.vault.orphans(removing: true) { _, _ in false }
        #expect(orphans.count == 1 && orphans.allSatisfy { $0.isStaged && $0.byteCount > 500_000 })
        #expect(try fixture.folder.files() == ["my.ledger/keys/keys.sqlite"])
    }

    @Test func `a full storage is told as such and leaves nothing half done`() async throws {
        let fixture = try VaultFixture()
        let (ledger, bytes) = (fixture.ledger, fixture.masterKeyBytes)
        await #expect(processExitsWith: .success) { [ledger = ledger as String, bytes = bytes as [UInt8]] in
            let vault = try Vault.open(folder: ledger, masterKey: MasterKey(bytes)!)
            let key = try vault.sessionKey(1)
            ResourceLimit.ignoreWriteSignals()
            try ResourceLimit.fileBytes.lower(to: 300_000)
            precondition(code { _ = try vault.write(.media, .random(), key: key, pattern(1_000_000)) } == .storageFull)
            precondition(code { _ = try vault.write(.media, .random(), key: key, pattern(299_970)) } == .storageFull)
            _ = try vault.write(.media, .random(), key: key, pattern(100_000))
        }
        #expect(try fixture.folder.files().count == 2)
        #expect(try fixture.folder.files().allSatisfy { !$0.contains("staging") })
    }
}
