import EventStorage
import SystemCalls

/// Database and write-ahead log copied to where this user may write, so that SQLite can recover the log. The files are unlinked
/// as soon as they are open.
struct TemporaryCopy {
    let folder: String
    var database: String { folder + "/ledger.sqlite" }

    static func of(_ files: LedgerFiles) throws(StorageError) -> TemporaryCopy {
        do {
            let copy = TemporaryCopy(folder: try FileSystem.makeTemporaryFolder())
            // The log first: what a writer adds to the database meanwhile is also in the log that was copied, or harmlessly newer.
            try FileSystem.copy(files.log, to: copy.database + "-wal")
            try FileSystem.copy(files.database, to: copy.database)
            return copy
        } catch {
            throw StorageError(
                .inputOutput, message: "The ledger cannot be copied to be read: \(error.message).",
                remedy: "Give TMPDIR a folder with room for ledger.sqlite, or ask a user who may write to run `doctor`.")
        }
    }

    func unlink() {
        for suffix in ["", "-wal", "-shm"] { _ = try? FileSystem.remove(database + suffix) }
        _ = try? FileSystem.removeFolder(folder)
    }
}
