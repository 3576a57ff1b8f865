import CSystem
import Glibc

/// An open file or folder, closed when it goes out of scope and never inherited by a child.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The number, for calls that want one; valid while this value lives.
    package let number: Int32

    /// Takes over a descriptor that is open already.
    package init(owning number: Int32) { self.number = number }

    deinit { _ = Glibc.close(number) }

    /// Closes it and tells: a file system on a network reports a failed write only here. See close(2).
    package consuming func close() throws(SystemError) {
        let number = number
        discard self
        // Linux has let go of the descriptor even when it answers EINTR; closing it again would close someone else's.
        if Glibc.close(number) != 0, Glibc.errno != EINTR { throw SystemError(errno: Glibc.errno, call: "close") }
    }
}

extension FileDescriptor {
    package enum Access: Sendable {
        /// Reads a file that is there.
        case read
        /// As `read`; its time of access stays as it was, where that is allowed: nothing to write for having been read.
        case readUnmarked
        /// Reads and writes a file that is there.
        case write
        /// Reads and writes; makes the file when it is not there.
        case writeOrCreate
        /// Makes the file; `already_exists` when it is there.
        case createNew
        /// Writes behind the end of a file that is there, whoever else does.
        case append
        /// A folder, to name files in it and to make its entries durable.
        case folder

        var flags: Int32 {
            switch self {
            case .read: O_RDONLY
            case .readUnmarked: O_RDONLY | cl_no_access_time
            case .write: O_RDWR
            case .writeOrCreate: O_RDWR | O_CREAT
            case .createNew: O_RDWR | O_CREAT | O_EXCL
            case .append: O_RDWR | O_APPEND
            case .folder: O_RDONLY | O_DIRECTORY
            }
        }
    }

    /// Opens by path; see open(2). The last part of the path may not be a symbolic link unless `followLinks`.
    package init(
        opening path: String, _ access: Access, mode: UInt32 = 0o600, followLinks: Bool = false
    ) throws(SystemError) {
        self.init(owning: try Self.open(AT_FDCWD, path, access, mode: mode, followLinks ? 0 : O_NOFOLLOW))
    }

    /// Opens an entry of this folder; see openat(2). Never follows a link, and never waits for the other end of a pipe that lies
    /// there.
    package borrowing func open(_ name: String, _ access: Access, mode: UInt32 = 0o600) throws(SystemError) -> FileDescriptor {
        FileDescriptor(owning: try Self.open(number, name, access, mode: mode, O_NOFOLLOW | O_NONBLOCK))
    }

    static func open(
        _ folder: Int32, _ path: String, _ access: Access, mode: UInt32, _ extra: Int32
    ) throws(SystemError) -> Int32 {
        var flags = access.flags | O_CLOEXEC | O_NOCTTY | extra
        while true {
            let number = unsafe cl_openat(folder, path, flags, mode)
            if number >= 0 { return number }
            let code = Glibc.errno
            // of somebody else's file
            if code == EPERM, flags & cl_no_access_time != 0 {
                flags &= ~cl_no_access_time
                continue
            }
            if code != EINTR { throw SystemError(errno: code, call: "open", path: path) }
        }
    }
}
