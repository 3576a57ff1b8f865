import SQLite
import SystemCalls
import Testing
import Vault

@Suite struct KeyTests {
    @Test func `keys are minted in batches of 256 without gaps`() throws {
        let fixture = try VaultFixture()
        #expect(try fixture.vault.keyState(0) == .none)
        #expect(try fixture.vault.keyState(1) == .active)
        #expect(try fixture.vault.keyState(256) == .active)
        #expect(try fixture.vault.keyState(257) == .none)
        try fixture.vault.ensureMinted(through: 256)
        #expect(try fixture.vault.keyState(257) == .none)
        try fixture.vault.ensureMinted(through: 513)
        #expect(try fixture.vault.keyState(768) == .active)
        #expect(try fixture.vault.keyState(769) == .none)
        #expect(code { _ = try fixture.vault.sessionKey(769) } == .keyUnknown)
        #expect(code { _ = try fixture.vault.destroy(769, atMilliseconds: 1) } == .keyUnknown)
    }

    @Test func `a wrong master key is refused before anything is written`() throws {
        let fixture = try VaultFixture()
        let before = try fixture.folder.read("my.ledger/keys/keys.sqlite")
        let wrong = try #require(MasterKey(SecureRandom.bytes(32)))
        #expect(code { _ = try Vault.open(folder: fixture.ledger, masterKey: wrong) } == .wrongMasterKey)
        #expect(try fixture.folder.read("my.ledger/keys/keys.sqlite") == before)
        #expect(try fixture.folder.files() == ["my.ledger/keys/keys.sqlite"])
    }

    @Test func `a vault is made once, and an interrupted making is finished`() throws {
        let fixture = try VaultFixture()
        #expect(code { _ = try Vault.create(folder: fixture.ledger, masterKey: fixture.masterKey) } == .vaultExists)
        #expect(code { _ = try Vault.open(folder: fixture.folder.file("none"), masterKey: fixture.masterKey) } == .vaultMissing)

        try FileSystem.makeFolder(fixture.folder.file("half/keys"))
        try fixture.folder.write("half/keys/keys.sqlite", [])
        let half = fixture.folder.file("half")
        #expect(code { _ = try Vault.open(folder: half, masterKey: fixture.masterKey) } == .vaultMissing)
        _ = try Vault.create(folder: half, masterKey: fixture.masterKey)
        _ = try Vault.open(folder: half, masterKey: fixture.masterKey)

        try FileSystem.makeFolder(fixture.folder.file("bad/keys"))
        try fixture.folder.write("bad/keys/keys.sqlite", pattern(9000))
        #expect(
            code { _ = try Vault.open(folder: fixture.folder.file("bad"), masterKey: fixture.masterKey) } == .vaultDamaged)
    }

    @Test func `a vault from the future is refused`() throws {
        let fixture = try VaultFixture()
        do {
            let connection = try Connection(path: fixture.ledger + "/keys/keys.sqlite", mode: .write)
            try connection.execute("PRAGMA user_version = 2")
        }
        #expect(code { _ = try fixture.openAgain() } == .vaultTooNew)
    }

    @Test func `look-up digests differ by kind, value and ledger`() throws {
        let fixture = try VaultFixture()
        let digest = fixture.vault.lookupDigest(.subject, [1])
        #expect(digest.count == 16)
        #expect(try fixture.openAgain().lookupDigest(.subject, [1]) == digest)
        #expect(fixture.vault.lookupDigest(.clientKey, [1]) != digest)
        #expect(fixture.vault.lookupDigest(.subject, [2]) != digest)
        #expect(fixture.vault.bodyDigest([1]) != digest)
        #expect(try VaultFixture().vault.lookupDigest(.subject, [1]) != digest)
    }

    @Test func `a key outlives a cache that is too small for it`() throws {
        let fixture = try VaultFixture()
        try fixture.vault.ensureMinted(through: 5000)
        let object = SessionKey.SmallObject.frozen(delivery: .random())
        let session = ObjectID.random()
        let sealed = try fixture.vault.sessionKey(1).seal([7], object, session: session)
        for number in 2...5000 { _ = try fixture.vault.sessionKeyInBatch(Int64(number)) }
        #expect(try fixture.vault.sessionKey(1).open(sealed, object, session: session) == [7])
    }
}
