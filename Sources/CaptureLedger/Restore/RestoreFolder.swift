import SystemCalls

/// Where a backup is unpacked: a folder beside, which gets its name when everything in it is as it should be, and is removed
/// otherwise.
final class RestoreFolder {
    let path: String
    let staging: String
    private let lock: FileDescriptor
    private var isPlaced = false

    private static let lockName = "lock.restore"

    /// - Throws: `folder_not_empty`, `ledger_exists`, `would_block` while another restore is at it.
    init(_ folder: String) throws(LedgerError) {
        var path = folder
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        if [".", "..", "/", ""].contains(path) || path.hasSuffix("/.") || path.hasSuffix("/..") {
            throw LedgerError(
                code: .init(rawValue: "bad_folder"), message: "A restore needs a folder with a name.",
                remedy: "Name a new folder, such as restored.ledger.")
        }
        self.path = path
        staging = path + ".part"
        let staging = path + ".part"
        try Self.check(path)
        lock = try called { () throws(SystemError) in
            if try FileStatus.of(staging) != nil {
                // What a crash left is not locked.
                let old = try FileDescriptor(opening: staging + "/" + Self.lockName, .writeOrCreate)
                guard try old.tryLock(), try old.status().links > 0 else {
                    throw SystemError(.wouldBlock, call: "flock", path: staging)
                }
                try Self.removeTree(staging)
            }
            try FileSystem.makeFolder(staging)
            let lock = try FileDescriptor(opening: staging + "/" + Self.lockName, .createNew)
            guard try lock.tryLock(), try lock.status().links > 0 else {
                throw SystemError(.wouldBlock, call: "flock", path: staging)
            }
            return lock
        }
    }

    deinit {
        if !isPlaced { try? Self.removeTree(staging) }
    }

    private static func check(_ path: String) throws(LedgerError) {
        guard let status = try called({ () throws(SystemError) in try FileStatus.of(path) }) else { return }
        let isEmpty = try called { () throws(SystemError) in
            guard status.kind == .folder else { return false }
            return try FileDescriptor(opening: path, .folder, followLinks: true).names().isEmpty
        }
        if isEmpty { return }
        throw LedgerError(
            code: .init(rawValue: "folder_not_empty"), message: "\(path) is not empty, and nothing is overwritten.",
            remedy: "Name a new folder.")
    }

    /// Gives the folder its name, at once and durably.
    func place() throws(LedgerError) {
        try called { () throws(SystemError) in
            for name in try FileDescriptor(opening: staging, .folder).names() {
                let entry = staging + "/" + name
                if try FileStatus.of(entry)?.kind == .folder { try FileSystem.synchronizeFolder(entry) }
            }
            try FileSystem.synchronizeFolder(staging)
            try FileSystem.rename(staging, to: path)
            isPlaced = true
            // Only now: nobody takes the folder for one that a crash left.
            try FileSystem.remove(path + "/" + Self.lockName)
            try FileSystem.synchronizeFolder(path)
            try FileSystem.synchronizeFolder(FileSystem.parent(of: path))
        }
    }

    static func removeTree(_ path: String) throws(SystemError) {
        let names: [String]
        do throws(SystemError) { names = try FileDescriptor(opening: path, .folder).names() } catch {
            if error.code == .notFound || error.code == .unexpectedKind { try FileSystem.remove(path) } else { throw error }
            return
        }
        for name in names { try removeTree(path + "/" + name) }
        try FileSystem.removeFolder(path)
    }
}
