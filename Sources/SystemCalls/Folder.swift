import CSystem
import Glibc

extension FileDescriptor {
    /// Makes an entry of this folder a folder and opens it; one that is there is taken. The entry is durable when it was made,
    /// unless `durably` says that somebody else will see to it. See mkdirat(2).
    package borrowing func openFolder(
        _ name: String, creatingWith access: FileAccess? = nil, durably: Bool = true
    ) throws(SystemError) -> FileDescriptor {
        guard let access else { return try open(name, .folder) }
        do {
            return try open(name, .folder)
        } catch {
            guard error.code == .notFound else { throw error }
        }
        if unsafe mkdirat(number, name, access.folderMode) != 0, Glibc.errno != EEXIST {
            throw SystemError(errno: Glibc.errno, call: "mkdir", path: name)
        }
        let folder = try open(name, .folder)
        try access.apply(to: folder, mode: access.folderMode)
        if durably { try synchronize() }
        return folder
    }

    /// True when it was there. See unlinkat(2).
    @discardableResult
    package borrowing func remove(_ name: String) throws(SystemError) -> Bool {
        if unsafe unlinkat(number, name, 0) == 0 { return true }
        if Glibc.errno == ENOENT { return false }
        throw SystemError(errno: Glibc.errno, call: "unlink", path: name)
    }

    /// Moves an entry of this folder into another; `already_exists` when the name is taken there. See renameat2(2).
    package borrowing func move(
        _ name: String, to folder: borrowing FileDescriptor, as newName: String
    ) throws(SystemError) {
        if unsafe cl_rename_without_replacing(number, name, folder.number, newName) == 0 { return }
        // Some file systems know no flags; there the names, which are made once, keep files from meeting.
        if Glibc.errno == EINVAL || Glibc.errno == ENOSYS, try folder.status(of: newName) == nil,
            unsafe renameat(number, name, folder.number, newName) == 0
        {
            return
        }
        throw SystemError(errno: Glibc.errno == 0 ? EEXIST : Glibc.errno, call: "rename", path: newName)
    }

    /// The names in this folder without "." and "..", in no order. See readdir(3).
    package borrowing func names() throws(SystemError) -> [String] {
        let copy = unsafe cl_openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        if copy < 0 { throw SystemError(errno: Glibc.errno, call: "open") }
        guard let stream = unsafe fdopendir(copy) else {
            let code = Glibc.errno
            _ = Glibc.close(copy)
            throw SystemError(errno: code, call: "fdopendir")
        }
        defer { unsafe _ = closedir(stream) }
        var names: [String] = []
        while true {
            Glibc.errno = 0
            guard let entry = unsafe readdir(stream) else {
                if Glibc.errno != 0 { throw SystemError(errno: Glibc.errno, call: "readdir") }
                return names
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
    }
}

/// Paths of folders and files, for code that has no folder open.
package enum FileSystem {
    /// Makes a folder and those above it that are missing; the new ones are durable. See mkdir(2).
    package static func makeFolder(_ path: String, access: FileAccess = .owner) throws(SystemError) {
        if let status = try FileStatus.of(path) {
            if status.kind == .folder { return }
            throw SystemError(errno: EEXIST, call: "mkdir", path: path)
        }
        let above = parent(of: path)
        if above != path { try makeFolder(above, access: access) }
        if unsafe mkdir(path, access.folderMode) != 0, Glibc.errno != EEXIST {
            throw SystemError(errno: Glibc.errno, call: "mkdir", path: path)
        }
        try access.apply(to: try FileDescriptor(opening: path, .folder, followLinks: true), mode: access.folderMode)
        try synchronizeFolder(above)
    }

    /// The entries of a folder are on the disk when it returns.
    package static func synchronizeFolder(_ path: String) throws(SystemError) {
        try FileDescriptor(opening: path, .folder, followLinks: true).synchronize()
    }

    /// Puts one file in another's place at once; durable after `synchronizeFolder`. See rename(2).
    package static func rename(_ path: String, to newPath: String) throws(SystemError) {
        if unsafe Glibc.rename(path, newPath) != 0 { throw SystemError(errno: Glibc.errno, call: "rename", path: newPath) }
    }

    /// True when it was there. See unlink(2).
    @discardableResult
    package static func remove(_ path: String) throws(SystemError) -> Bool {
        if unsafe unlink(path) == 0 { return true }
        if Glibc.errno == ENOENT { return false }
        throw SystemError(errno: Glibc.errno, call: "unlink", path: path)
    }

    /// Bytes that this user can still write on the path's file system. See statvfs(3).
    package static func freeBytes(at path: String) throws(SystemError) -> Int64 {
        var status = statvfs()
        if unsafe statvfs(path, &status) != 0 { throw SystemError(errno: Glibc.errno, call: "statvfs", path: path) }
        return Int64(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    /// "." for a bare name, "/" for what lies in the root.
    package static func parent(of path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
