import SystemCalls

/// The file that a backup or an export is written to under another name, and what it needs beside it. What does not get its name is
/// removed.
final class BackupFiles {
    let path: String
    private let lock: FileDescriptor
    private var isPlaced = false
    /// The file itself, where it is made without a name.
    private var unnamed: Unnamed?

    var part: String { path + ".part" }
    /// Held by whoever writes to that name, from before the first file beside it to behind the last.
    private var lockFile: String { part + ".lock" }
    /// Copies of the two databases, and the listing while it grows.
    var database: String { part + ".ledger" }
    var keys: String { part + ".keys" }
    var listing: String { part + ".sums" }
    /// The page of an export while it grows.
    var report: String { part + ".report" }
    /// What came behind an increment's base.
    var rows: String { part + ".rows" }

    /// Takes the name. What an interrupted backup left under it is replaced; one that runs is not disturbed.
    init(_ path: String) throws(LedgerError) {
        self.path = path
        guard try called({ () throws(SystemError) in try FileStatus.of(path) }) == nil else { throw .exists(path) }
        guard !path.hasSuffix("/"),
            try called({ () throws(SystemError) in try FileStatus.of(FileSystem.parent(of: path)) }) != nil
        else {
            throw LedgerError(
                code: .init(rawValue: "no_such_folder"), message: "The folder for that file is not there.",
                remedy: "Make it, or name a file in another one.")
        }
        lock = try called { () throws(SystemError) in
            let lock = try FileDescriptor(opening: path + ".part.lock", .writeOrCreate)
            // One without a name is that of a backup which ended between the two calls.
            guard try lock.tryLock(), try lock.status().links > 0 else {
                throw SystemError(.wouldBlock, call: "flock", path: path + ".part.lock")
            }
            return lock
        }
        try called { () throws(SystemError) in for leftover in files + [part] { _ = try FileSystem.remove(leftover) } }
    }

    /// What lies beside the archive while it grows.
    private var files: [String] {
        let databases = [database, keys]
        return databases + [listing, report, rows] + ["-wal", "-shm", "-journal"].flatMap { end in databases.map { $0 + end } }
    }

    deinit {
        for file in files + (isPlaced ? [] : [part]) + [lockFile] { _ = try? FileSystem.remove(file) }
    }

    /// An empty file that only this user may read.
    func make(_ path: String) throws(LedgerError) -> FileDescriptor {
        try called { () throws(SystemError) in try FileDescriptor(opening: path, .createNew) }
    }

    /// As `make(part)`, and without a name where the file system can: nothing is left of one that is killed before it was placed.
    func makeWithoutName() throws(LedgerError) -> FileDescriptor {
        let made = try called { () throws(SystemError) -> FileDescriptor? in
            let folder = try FileDescriptor(opening: FileSystem.parent(of: path), .folder, followLinks: true)
            guard let file = try folder.makeUnnamed() else { return nil }
            unnamed = Unnamed(try file.reopened())
            return file
        }
        if let made { return made }
        return try make(part)
    }

    /// What was made so far, to be read again.
    func reopened() throws(LedgerError) -> FileDescriptor {
        try called { () throws(SystemError) in
            guard let unnamed else { return try FileDescriptor(opening: part, .read) }
            return try unnamed.file.reopened()
        }
    }

    /// Gives the finished file its name, unless that is taken by now.
    func place() throws(LedgerError) {
        do {
            let folder = try FileDescriptor(opening: FileSystem.parent(of: path), .folder, followLinks: true)
            if let unnamed {
                try folder.link(unnamed.file, as: Self.name(path))
            } else {
                try folder.move(Self.name(part), to: folder, as: Self.name(path))
            }
            isPlaced = true
            try folder.synchronize()
        } catch {
            throw error.code == .alreadyExists ? .exists(path) : LedgerError(error)
        }
    }

    private static func name(_ path: String) -> String {
        String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    }
}

/// Keeps a file open.
private final class Unnamed {
    let file: FileDescriptor
    init(_ file: consuming FileDescriptor) { self.file = file }
}

extension LedgerError {
    fileprivate static func exists(_ path: String) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "file_exists"),
            message: "There is something at \(path) already; it is not overwritten.",
            remedy: "Name another file, or move that one away.")
    }
}
