import EventStorage
import SystemCalls

/// Database and write-ahead log copied to where this user may write, so that SQLite can recover the log. The files are unlinked
/// as soon as they are open.
struct TemporaryCopy {
    private static let tries = 5

    let folder: String
    var database: String { folder + "/ledger.sqlite" }

    /// Both files as they were at one moment: a log of before and a database of behind a checkpoint would make a third thing.
    static func of(_ files: LedgerFiles) throws(StorageError) -> TemporaryCopy {
        var copy: TemporaryCopy?
        do {
            let made = TemporaryCopy(folder: try FileSystem.makeTemporaryFolder())
            copy = made
            for _ in 0..<tries {
                let before = try state(of: files)
                try FileSystem.copy(files.log, to: made.database + "-wal")
                try FileSystem.copy(files.database, to: made.database)
                if try state(of: files) == before { return made }
                made.removeFiles()
            }
        } catch {
            copy?.unlink()
            throw StorageError(
                .inputOutput, message: "The ledger cannot be copied to be read: \(error.message).",
                remedy: "Give TMPDIR a folder with room for ledger.sqlite, or ask a user who may write to run `doctor`.")
        }
        copy?.unlink()
        throw StorageError(
            .unexpected, message: "The ledger is written to all the time, so that no copy of one moment can be read.",
            remedy: "Read it again later, or as a user who may write to it.")
    }

    private static func state(of files: LedgerFiles) throws(SystemError) -> [FileStatus?] {
        [try FileStatus.of(files.log), try FileStatus.of(files.database)]
    }

    private func removeFiles() { for suffix in ["", "-wal", "-shm"] { _ = try? FileSystem.remove(database + suffix) } }

    func unlink() {
        removeFiles()
        _ = try? FileSystem.removeFolder(folder)
    }
}
