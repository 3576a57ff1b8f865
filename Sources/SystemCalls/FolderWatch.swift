import Glibc

/// Becomes readable when something in a folder changes: another process appended, or a file was put in another's place.
/// See inotify(7).
package final class FolderWatch: Sendable {
    private let file: FileDescriptor

    package init(_ path: String) throws(SystemError) {
        let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        if number < 0 { throw SystemError(errno: Glibc.errno, call: "inotify_init1") }
        let made = FileDescriptor(owning: number)
        let events = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF
        if unsafe inotify_add_watch(number, path, UInt32(events)) < 0 {
            throw SystemError(errno: Glibc.errno, call: "inotify_add_watch", path: path)
        }
        file = made
    }

    /// For `TerminationSignals.wait`.
    package var number: Int32 { file.number }

    /// Forgets what changed so far.
    package func drain() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while unsafe Glibc.read(file.number, &bytes, bytes.count) > 0 {}
    }
}
