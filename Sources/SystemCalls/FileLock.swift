import Glibc

extension FileDescriptor {
    /// Waits for the exclusive lock of flock(2). The lock goes with the open file: it ends when the descriptor is closed, also
    /// by a crash, and another open of the same file excludes it, also in this process.
    package borrowing func lock() throws(SystemError) {
        while flock(number, LOCK_EX) != 0 {
            if Glibc.errno != EINTR { throw SystemError(errno: Glibc.errno, call: "flock") }
        }
    }

    /// Waits for a lock that others may share and no exclusive one goes with.
    package borrowing func lockShared() throws(SystemError) {
        while flock(number, LOCK_SH) != 0 {
            if Glibc.errno != EINTR { throw SystemError(errno: Glibc.errno, call: "flock") }
        }
    }

    /// False when somebody else holds it.
    package borrowing func tryLock() throws(SystemError) -> Bool {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            if Glibc.errno == EWOULDBLOCK { return false }
            if Glibc.errno != EINTR { throw SystemError(errno: Glibc.errno, call: "flock") }
        }
        return true
    }

    package borrowing func unlock() { _ = flock(number, LOCK_UN) }
}

/// An exclusive lock on a file of its own, held until it goes out of scope or its process ends.
package struct FileLock: ~Copyable, Sendable {
    private let file: FileDescriptor

    private init(_ file: consuming FileDescriptor) { self.file = file }

    /// Waits for it; makes the file when it is not there.
    package init(waitingAt path: String, access: FileAccess = .owner) throws(SystemError) {
        let file = try Self.open(path, access)
        try file.lock()
        self.init(file)
    }

    /// Nil when somebody else holds it.
    package init?(tryingAt path: String, access: FileAccess = .owner) throws(SystemError) {
        let file = try Self.open(path, access)
        guard try file.tryLock() else { return nil }
        self.init(file)
    }

    /// Whether somebody holds it at this moment. A file that is not there is held by nobody. Asking takes a shared lock for an
    /// instant: askers do not disturb each other, but a `tryingAt` that meets one is refused.
    package static func isHeld(at path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            let file = try FileDescriptor(opening: path, .read)
            while flock(file.number, LOCK_SH | LOCK_NB) != 0 {
                if Glibc.errno == EWOULDBLOCK { return true }
                if Glibc.errno != EINTR { throw SystemError(errno: Glibc.errno, call: "flock") }
            }
            return false
        } catch {
            if error.code == .notFound { return false }
            throw error
        }
    }

    static func open(_ path: String, _ access: FileAccess) throws(SystemError) -> FileDescriptor {
        let file = try FileDescriptor(opening: path, .writeOrCreate, mode: access.fileMode)
        try access.apply(to: file, mode: access.fileMode)
        return file
    }
}
