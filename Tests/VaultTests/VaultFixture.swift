import SystemCalls
import Testing
import Vault

/// A fresh vault with one batch of keys.
struct VaultFixture {
    let folder: TemporaryFolder
    let masterKey: MasterKey
    let masterKeyBytes: [UInt8]
    let vault: Vault

    init() throws {
        folder = try TemporaryFolder()
        masterKeyBytes = SecureRandom.bytes(32)
        masterKey = try #require(MasterKey(masterKeyBytes))
        vault = try Vault.create(folder: folder.file("my.ledger"), masterKey: masterKey)
        try vault.ensureMinted(through: 1)
    }

    var ledger: String { folder.file("my.ledger") }

    func openAgain() throws -> Vault { try Vault.open(folder: ledger, masterKey: masterKey) }

    func path(_ kind: SealedKind, _ id: ObjectID) -> String { "my.ledger/\(kind.rawValue)/\(id.text.suffix(2))/\(id.text)" }
}

/// Bytes that follow from their count, so that a wrong order shows.
func pattern(_ count: Int) -> [UInt8] {
    var word: UInt64 = 0x9E37_79B9_7F4A_7C15 &+ UInt64(count)
    return (0..<count).map { _ in
        word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: word >> 33)
    }
}

/// The code of the error that `body` throws, nil when it throws none.
func code(_ body: () throws -> Void) -> VaultError.Code? {
    do {
        try body()
        return nil
    } catch let error as VaultError {
        return error.code
    } catch {
        Issue.record("another error: \(error)")
        return nil
    }
}
