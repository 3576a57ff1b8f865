import Glibc

extension FileSystem {
    /// The paths that a pattern of a shell names, sorted; see glob(7). None where nothing fits.
    package static func matching(_ pattern: String) throws(SystemError) -> [String] {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        switch unsafe glob(pattern, GLOB_ERR, nil, &found) {
        case 0: break
        case GLOB_NOMATCH: return []
        case GLOB_NOSPACE: throw SystemError(errno: ENOMEM, call: "glob", path: pattern)
        default: throw SystemError(errno: EACCES, call: "glob", path: pattern)
        }
        return unsafe (0..<Int(found.gl_pathc)).compactMap { index in
            unsafe found.gl_pathv[index].map { unsafe String(cString: $0) }
        }
    }

    /// Puts bytes in a file's place at once: a reader sees the old file or the new one, never a part. What was there may be
    /// read by whom it could be read before, a new file by `mode`.
    ///
    /// - Parameter isDurable: whether the bytes are on the disk before the name points to them.
    package static func replace(
        _ path: String, with bytes: [UInt8], mode: UInt32, isDurable: Bool = false
    ) throws(SystemError) {
        // hidden, and named for this process: collectors of *.prom do not read it, and two writers do not share it
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let temporary = path[..<slash] + ".\(path[slash...]).\(getpid()).new"
        do throws(SystemError) {
            _ = try remove(String(temporary))
            let file = try FileDescriptor(opening: String(temporary), .createNew, mode: mode)
            // whatever the umask is
            if fchmod(file.number, mode) != 0 { throw SystemError(errno: Glibc.errno, call: "fchmod") }
            try file.write(bytes)
            if isDurable { try file.synchronize() }
            try rename(String(temporary), to: path)
            if isDurable { try synchronizeFolder(parent(of: path)) }
        } catch {
            _ = try? remove(String(temporary))
            throw error
        }
    }
}
