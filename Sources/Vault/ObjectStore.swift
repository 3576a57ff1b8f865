import Cryptography
import SystemCalls

/// The folders of sealed files: `media` and `evidence`, each with 256 folders by the end of the identifier, and `staging`.
final class ObjectStore: Sendable {
    static let stagingName = "staging"

    let access: FileAccess
    private let media: Folders
    private let evidence: Folders

    struct Folders: ~Copyable, Sendable {
        let all: FileDescriptor
        let staging: FileDescriptor
    }

    /// Makes the folders that are missing, as after a restore that left out empty ones, unless `isReadOnly`.
    init(ledger path: String, isReadOnly: Bool) throws(VaultError) {
        do {
            access = try FileAccess.matching(folder: path)
            let missing = isReadOnly ? nil : access
            let ledger = try FileDescriptor(opening: path, .folder, followLinks: true)
            media = try Self.folders(.media, in: ledger, creatingWith: missing)
            evidence = try Self.folders(.evidence, in: ledger, creatingWith: missing)
        } catch {
            throw error.code == .notFound ? VaultError(.vaultMissing, cause: error.message) : VaultError(error)
        }
    }

    private static func folders(
        _ kind: SealedKind, in ledger: borrowing FileDescriptor, creatingWith access: FileAccess?
    ) throws(SystemError) -> Folders {
        let all = try ledger.openFolder(kind.folder, creatingWith: access)
        let staging = try all.openFolder(stagingName, creatingWith: access)
        return Folders(all: all, staging: staging)
    }

    /// Calls `body` with the folders of a kind.
    func withFolders<Value: ~Copyable>(
        _ kind: SealedKind, _ body: (borrowing Folders) throws(SystemError) -> Value
    ) throws(SystemError) -> Value {
        switch kind {
        case .media: try body(media)
        case .evidence: try body(evidence)
        }
    }

    /// The file of an object, to read.
    ///
    /// - Throws: `object_missing`.
    func openFile(_ kind: SealedKind, _ id: ObjectID) throws(VaultError) -> FileDescriptor {
        do {
            return try withFolders(kind) { folders throws(SystemError) in
                try folders.all.openFolder(id.shard).open(id.text, .readUnmarked)
            }
        } catch {
            throw error.code == .notFound ? VaultError(.objectMissing) : VaultError(error)
        }
    }

    /// Removes an object's file, durably. True when it was there.
    func remove(_ kind: SealedKind, _ id: ObjectID) throws(VaultError) -> Bool {
        do {
            return try withFolders(kind) { folders throws(SystemError) in
                let shard = try folders.all.openFolder(id.shard)
                let wasThere = try shard.remove(id.text)
                try shard.synchronize()
                return wasThere
            }
        } catch {
            if error.code == .notFound { return false }
            throw VaultError(error)
        }
    }
}
