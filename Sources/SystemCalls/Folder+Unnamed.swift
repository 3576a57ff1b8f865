import CSystem
import Glibc

extension FileDescriptor {
    /// A new file in this folder without a name: nothing is left of it when whoever has it open ends, however that comes about, unless it
    /// was given a name. See O_TMPFILE in open(2).
    ///
    /// - Returns: nil where the file system has no such files, or the processes' folder is not mounted.
    package borrowing func makeUnnamed(mode: UInt32 = 0o600) throws(SystemError) -> FileDescriptor? {
        let made = unsafe cl_openat(number, ".", cl_unnamed_file | O_RDWR | O_CLOEXEC, mode)
        guard made >= 0 else {
            let code = Glibc.errno
            if [EOPNOTSUPP, EISDIR, ENOENT, EINVAL].contains(code) { return nil }
            throw SystemError(errno: code, call: "open")
        }
        let file = FileDescriptor(owning: made)
        do throws(SystemError) { _ = try file.reopened() } catch { return nil }
        return file
    }

    /// The same file once more, to be read by itself.
    package borrowing func reopened() throws(SystemError) -> FileDescriptor {
        try FileDescriptor(opening: Self.path(of: number), .read, followLinks: true)
    }

    /// Gives a file that was made without a name one in this folder; `already_exists` where that is taken. See linkat(2).
    package borrowing func link(_ file: borrowing FileDescriptor, as name: String) throws(SystemError) {
        if unsafe linkat(AT_FDCWD, Self.path(of: file.number), number, name, AT_SYMLINK_FOLLOW) == 0 { return }
        throw SystemError(errno: Glibc.errno, call: "linkat", path: name)
    }

    private static func path(of number: Int32) -> String { "/proc/self/fd/\(number)" }
}
