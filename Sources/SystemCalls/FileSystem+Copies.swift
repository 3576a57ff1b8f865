import Glibc

extension FileSystem {
    /// Whether this user may write the file or folder; access(2) with the effective identity.
    package static func isWritable(_ path: String) -> Bool { unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 }

    /// A folder of one's own, mode 0700, under `TMPDIR` or `/tmp`; mkdtemp(3).
    package static func makeTemporaryFolder() throws(SystemError) -> String {
        let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/capture-ledger-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let start = buffer.baseAddress, unsafe mkdtemp(start) != nil else { return nil }
            return unsafe String(cString: start)
        }
        guard let made else { throw SystemError(errno: errno, call: "mkdtemp", path: base) }
        return made
    }

    /// The path from the root on, so that it means the same wherever the process stands later; getcwd(3).
    package static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let here = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(here) }
        return unsafe String(cString: here) + "/" + path
    }

    package static func removeFolder(_ path: String) throws(SystemError) {
        guard unsafe rmdir(path) == 0 else { throw SystemError(errno: errno, call: "rmdir", path: path) }
    }

    /// Copies a file's bytes to a new file, mode 0600, in constant memory.
    package static func copy(_ path: String, to newPath: String) throws(SystemError) {
        let source = try FileDescriptor(opening: path, .read)
        let target = try FileDescriptor(opening: newPath, .writeOrCreate, mode: 0o600)
        var buffer = [UInt8](repeating: 0, count: 262_144)
        while true {
            var span = buffer.mutableSpan
            let count = try source.read(into: &span)
            if count == 0 { break }
            try target.write(buffer.span.extracting(0..<count))
        }
        try target.synchronize()
    }
}

extension FileSystem {
    /// The path of the running program; proc(5), `/proc/self/exe`.
    package static func ownProgram() throws(SystemError) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw SystemError(errno: errno, call: "readlink", path: "/proc/self/exe") }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
