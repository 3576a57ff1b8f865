import CSystem
import Glibc

/// Limits of this process and the children that it starts afterwards; see setrlimit(2).
package enum ResourceLimit: Sendable {
    case addressSpaceBytes
    case processorSeconds
    case coreBytes
    /// Beyond it a write fails with EFBIG, once SIGXFSZ is ignored.
    case fileBytes
    case openFiles

    /// Sets soft and hard limit; it cannot be raised again.
    package func lower(to value: UInt64) throws(SystemError) {
        let resource =
            switch self {
            case .addressSpaceBytes: cl_limit_address_space
            case .processorSeconds: cl_limit_processor_seconds
            case .coreBytes: cl_limit_core_bytes
            case .fileBytes: cl_limit_file_bytes
            case .openFiles: cl_limit_open_files
            }
        if cl_set_limit(resource, value, value) != 0 { throw SystemError(errno: Glibc.errno, call: "setrlimit") }
    }

    /// A write to a pipe or a socket that nobody reads, or beyond `fileBytes`, becomes an error in place of a signal.
    package static func ignoreWriteSignals() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
    }
}
