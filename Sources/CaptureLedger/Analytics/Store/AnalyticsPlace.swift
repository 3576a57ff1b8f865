import SystemCalls

/// Where analytics.sqlite lies and is made.
struct AnalyticsPlace {
    let file: String
    /// Held by whoever makes or changes the file.
    let lock: String
    let access: FileAccess

    /// Where it is made before it takes the old one's place.
    var beside: String { file + ".new" }

    /// In the ledger's folder.
    init(_ files: LedgerFiles) throws(LedgerError) {
        file = files.analytics
        lock = files.analyticsLock
        let folder = files.folder
        access = try called { () throws(SystemError) in try FileAccess.matching(folder: folder) }
    }

    /// In a folder of its own, for who may not write the ledger's.
    init(folder: String) {
        file = folder + "/analytics.sqlite"
        lock = folder + "/lock.analytics"
        access = .owner
    }

    func removeBeside() { for suffix in ["", "-journal"] { _ = try? FileSystem.remove(beside + suffix) } }

    /// Puts the file that was made beside into the old one's place, durably: who has that one open goes on reading it.
    func swapIn() throws(LedgerError) {
        do throws(LedgerError) {
            try called { () throws(SystemError) in
                try FileDescriptor(opening: beside, .write).synchronize()
                try FileSystem.rename(beside, to: file)
                // what a process that died left beside the old file is none of the new one's
                _ = try FileSystem.remove(file + "-journal")
                try FileSystem.synchronizeFolder(FileSystem.parent(of: file))
            }
        } catch {
            removeBeside()
            throw error
        }
    }
}
