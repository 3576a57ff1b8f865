import SystemCalls

/// A file of one line that is replaced whole: a reader sees the old line or the new one, also after a crash.
struct SmallFile {
    let folder: String
    let name: String

    private var path: String { folder + "/" + name }

    /// nil when it is not there.
    func read() throws(LedgerError) -> String? {
        do throws(SystemError) {
            return String(decoding: try FileDescriptor(opening: path, .read).readToEnd(limit: 4096), as: UTF8.self)
        } catch {
            if error.code == .notFound { return nil }
            throw LedgerError(error)
        }
    }

    /// Durable when it returns.
    func write(_ line: String, in ledger: LedgerFiles) throws(LedgerError) {
        try called { () throws(SystemError) in
            let access = try FileAccess.matching(folder: ledger.folder)
            try FileSystem.makeFolder(folder, access: access)
            let next = path + ".new"
            _ = try FileSystem.remove(next)
            let file = try FileDescriptor(opening: next, .createNew, mode: access.fileMode)
            try access.apply(to: file, mode: access.fileMode)
            try file.write(Array((line + "\n").utf8))
            try file.synchronize()
            try FileSystem.rename(next, to: path)
            try FileSystem.synchronizeFolder(folder)
        }
    }
}
