import Glibc

/// Who may use a ledger's files: its owner, or the members of a group too.
package enum FileAccess: Sendable, Equatable {
    /// Folders 0700, files 0600.
    case owner
    /// Folders 2770 and files 0660, all of the group with this number.
    case group(UInt32)

    package var folderMode: UInt32 { self == .owner ? 0o700 : 0o2770 }
    package var fileMode: UInt32 { self == .owner ? 0o600 : 0o660 }

    /// The number of a group by name; nil when there is no such group. See getgrnam_r(3).
    package static func groupNumber(named name: String) throws(SystemError) -> UInt32? {
        var buffer = [CChar](repeating: 0, count: 4096)
        while true {
            var entry = unsafe Glibc.group()
            var found: UnsafeMutablePointer<Glibc.group>?
            let capacity = buffer.count
            let code = unsafe getgrnam_r(name, &entry, &buffer, capacity, &found)
            switch code {
            case 0: return unsafe found == nil ? nil : entry.gr_gid
            case ERANGE where buffer.count < 1 << 24: buffer = [CChar](repeating: 0, count: buffer.count * 2)
            case ENOENT, ESRCH: return nil
            case EINTR: continue
            default: throw SystemError(errno: code, call: "getgrnam", path: name)
            }
        }
    }

    /// The access that a folder shows, so that what is added later matches what is there.
    package static func matching(folder path: String) throws(SystemError) -> FileAccess {
        guard let status = try FileStatus.of(path) else { throw SystemError(errno: ENOENT, call: "stat", path: path) }
        return status.mode & 0o070 == 0o070 ? .group(status.group) : .owner
    }

    /// Sets group and mode whatever the umask was; does nothing to a file of another user that has them already.
    package func apply(to file: borrowing FileDescriptor, mode: UInt32) throws(SystemError) {
        guard case .group(let number) = self else { return }
        let status = try file.status()
        if status.group != number, fchown(file.number, uid_t.max, number) != 0 {
            throw SystemError(errno: Glibc.errno, call: "fchown")
        }
        if status.mode != mode, fchmod(file.number, mode) != 0 { throw SystemError(errno: Glibc.errno, call: "fchmod") }
    }
}
