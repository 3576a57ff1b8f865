import Glibc

/// What fstat(2) says of a file.
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable { case file, folder, link, other }

    package let kind: Kind
    package let size: Int64
    /// The permission bits, `0o7777` at most.
    package let mode: UInt32
    package let user: UInt32
    package let group: UInt32
    /// Names that the file has; 0 when it was removed while open.
    package let links: Int
    package let modifiedAtMilliseconds: Int64

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        size = Int64(status.st_size)
        mode = status.st_mode & 0o7777
        user = status.st_uid
        group = status.st_gid
        links = Int(status.st_nlink)
        modifiedAtMilliseconds = Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    }
}

extension FileDescriptor {
    package borrowing func status() throws(SystemError) -> FileStatus {
        var status = stat()
        if unsafe fstat(number, &status) != 0 { throw SystemError(errno: Glibc.errno, call: "fstat") }
        return FileStatus(status)
    }

    /// Of an entry of this folder, nil when there is none; a link is not followed. See fstatat(2).
    package borrowing func status(of name: String) throws(SystemError) -> FileStatus? {
        var status = stat()
        if unsafe fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return FileStatus(status) }
        if Glibc.errno == ENOENT { return nil }
        throw SystemError(errno: Glibc.errno, call: "stat", path: name)
    }
}

extension FileDescriptor {
    /// Opens a file to read it, also through a link. Anything else is refused at once: a pipe would wait for its other end.
    ///
    /// - Throws: `unexpected_kind` for what is not a regular file.
    package init(readingFile path: String) throws(SystemError) {
        let found = FileDescriptor(owning: try Self.open(AT_FDCWD, path, .read, mode: 0, O_NONBLOCK))
        guard try found.status().kind == .file else { throw SystemError(.unexpectedKind, call: "open", path: path) }
        self = found
    }
}

extension FileStatus {
    /// Of a path, nil when there is nothing; links are followed. See stat(2).
    package static func of(_ path: String) throws(SystemError) -> FileStatus? {
        var status = stat()
        if unsafe stat(path, &status) == 0 { return FileStatus(status) }
        if Glibc.errno == ENOENT || Glibc.errno == ENOTDIR { return nil }
        throw SystemError(errno: Glibc.errno, call: "stat", path: path)
    }
}
