import Glibc

/// The lock that says that a worker lives: an flock(2) on a file of its own, named by the worker, and a shared one on the folder.
///
/// Both end when this is let go of and when the process ends, however it ends. The descriptors are closed in every program
/// that the worker starts, so that a child which outlives it keeps nothing locked.
package final class WorkerLock: Sendable {
    package let holder: String
    private let folder: FileDescriptor
    private let file: FileDescriptor

    fileprivate init(_ holder: String, folder: consuming FileDescriptor, file: consuming FileDescriptor) {
        self.holder = holder
        self.folder = folder
        self.file = file
    }

    // removed while it is still locked, so that nobody meets a file that is about to go
    deinit { if isThere { _ = try? folder.remove(holder) } }

    /// False once somebody removed the file: others take this worker for dead then.
    package var isThere: Bool { ((try? file.status().links) ?? 0) > 0 }
}

/// The folder with the locks of all workers of a ledger.
package struct WorkerLocks: Sendable {
    private let path: String
    private let access: FileAccess

    /// Makes the folder when the first lock is taken.
    package init(folder path: String, access: FileAccess) {
        self.path = path
        self.access = access
    }

    /// Locks a new file. Waits while somebody excludes workers.
    ///
    /// - Parameter holder: a name that no worker had before and no path leads out of.
    package func take(_ holder: String) throws(SystemError) -> WorkerLock {
        try FileSystem.makeFolder(path, access: access)
        let folder = try FileDescriptor(opening: path, .folder)
        try folder.lockShared()
        while true {
            let file = try folder.open(holder, .writeOrCreate, mode: access.fileMode)
            try access.apply(to: file, mode: access.fileMode)
            try file.lock()
            // whoever buries the dead can have found it before it was locked
            if try file.status().links > 0 { return WorkerLock(holder, folder: folder, file: file) }
        }
    }

    /// False while the worker lives. A dead one's file is removed; one without a file is dead. Asked by one at a time, under the
    /// ledger's writer lock: whoever asks holds a dead worker's lock for an instant.
    package func bury(_ holder: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            let folder = try FileDescriptor(opening: path, .folder)
            let file = try folder.open(holder, .read)
            guard try file.tryLock() else { return false }
            try folder.remove(holder)
            return true
        } catch {
            if error.code == .notFound { return true }
            // another user's, whose lock cannot be asked about: never robbed
            if error.code == .permissionDenied { return false }
            throw error
        }
    }

    /// The names of workers that live or left a file behind.
    package func holders() throws(SystemError) -> [String] {
        do throws(SystemError) { return try FileDescriptor(opening: path, .folder).names() } catch {
            if error.code == .notFound { return [] }
            throw error
        }
    }

    /// Whether a worker lives at this moment.
    package func areHeld() throws(SystemError) -> Bool {
        do throws(SystemError) { return try !FileDescriptor(opening: path, .folder).tryLock() } catch {
            if error.code == .notFound { return false }
            throw error
        }
    }

    /// Keeps workers from starting while the result lives; nil while one lives.
    package func exclude() throws(SystemError) -> WorkerExclusion? {
        try FileSystem.makeFolder(path, access: access)
        let folder = try FileDescriptor(opening: path, .folder)
        guard try folder.tryLock() else { return nil }
        return WorkerExclusion(folder: folder)
    }
}

/// No worker lives while this does.
package final class WorkerExclusion: Sendable {
    private let folder: FileDescriptor
    fileprivate init(folder: consuming FileDescriptor) { self.folder = folder }
}
