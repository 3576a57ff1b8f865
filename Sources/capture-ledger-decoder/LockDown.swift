import CSystem
import Glibc

/// What the process gives up before it reads a byte of media. Order matters: limits while they can be set, Landlock before seccomp,
/// which forbids its calls, and all of it before any thread, because Landlock binds only the thread that asks for it.
enum LockDown {
    /// HEIC needs 512 MiB and hangs below it.
    static let addressSpace: UInt64 = 1 << 30

    /// A video is decoded from its beginning to its end by one process.
    static func processorSeconds(_ role: Decoder.Role) -> UInt64 { role == .video ? 300 : 30 }

    /// The version of Landlock in force, 0 where the kernel has none; nil when anything else failed.
    static func enter(_ role: Decoder.Role) -> Int? {
        guard limit(role), cl_thread_count() == 1, cl_give_up_privileges() == 0 else { return nil }
        let landlock = cl_landlock()
        guard landlock >= 0, cl_seccomp() == 0 else { return nil }
        return Int(landlock)
    }

    static func limit(_ role: Decoder.Role) -> Bool {
        // The soft limit ends it by SIGXCPU, which the client reads as a limit; the hard one by SIGKILL, should it look away.
        let seconds = processorSeconds(role)
        return cl_set_limit(cl_limit_address_space, addressSpace, addressSpace) == 0
            && cl_set_limit(cl_limit_processor_seconds, seconds, seconds + 1) == 0
            && cl_set_limit(cl_limit_core_bytes, 0, 0) == 0
            && cl_set_limit(cl_limit_file_bytes, 0, 0) == 0
            && cl_set_limit(cl_limit_open_files, 8, 8) == 0
    }
}
