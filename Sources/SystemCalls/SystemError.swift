import Glibc

/// What the operating system refused, with the call that it refused.
package struct SystemError: Error, Sendable, Equatable {
    package enum Code: String, Sendable {
        case notFound = "not_found"
        case alreadyExists = "already_exists"
        case permissionDenied = "permission_denied"
        case storageFull = "storage_full"
        case readOnly = "read_only"
        case wouldBlock = "would_block"
        case tooManyOpenFiles = "too_many_open_files"
        case unexpectedKind = "unexpected_kind"
        case inputOutput = "input_output"
        case timedOut = "timed_out"
        case outputTooLarge = "output_too_large"
        case other = "system_error"
    }

    package let code: Code
    /// The number of errno(3); 0 when no call failed but a limit was passed.
    package let errno: Int32
    /// The call, as its manual page is named.
    package let call: String
    /// The file or program, when there is one. Ledger files are named by identifiers only.
    package let path: String?

    package init(errno: Int32, call: String, path: String? = nil) {
        self.code = Self.code(of: errno)
        self.errno = errno
        self.call = call
        self.path = path
    }

    package init(_ code: Code, call: String, path: String? = nil) {
        self.code = code
        self.errno = 0
        self.call = call
        self.path = path
    }

    package var message: String {
        let reason: String
        switch code {
        case .timedOut where errno == 0: reason = "the time limit passed"
        case .outputTooLarge: reason = "it printed more than allowed"
        case .unexpectedKind where errno == 0: reason = "it is not a regular file"
        default:
            reason =
                errno == 0
                ? code.rawValue.split(separator: "_").joined(separator: " ") : unsafe String(cString: strerror(errno))
        }
        guard let path else { return "\(call): \(reason)" }
        return "\(call) \(path): \(reason)"
    }

    package var remedy: String {
        switch code {
        case .notFound: "Check the path."
        case .alreadyExists: "Choose another name, or use what is there."
        case .permissionDenied: "Give the user that runs this program access, or run it as the ledger's owner."
        case .storageFull: "Free space on this file system (or raise its quota), then repeat the command."
        case .readOnly: "Mount the file system for writing."
        case .wouldBlock: "Another process is at it; try again when it is done."
        case .tooManyOpenFiles: "Raise the limit of open files (ulimit -n)."
        case .unexpectedKind: "A folder, a link or a special file is in the way; move it."
        case .inputOutput: "Check the disk (dmesg, smartctl); restore from a backup if it is failing."
        case .timedOut: "Raise the limit, or find out why it is slow."
        case .outputTooLarge: "Check the program that printed it."
        case .other: "See errno \(errno) in errno(3) and the manual page of \(call)."
        }
    }

    private static func code(of errno: Int32) -> Code {
        switch errno {
        case ENOENT, ENOTDIR, ENAMETOOLONG: .notFound
        case EEXIST, ENOTEMPTY: .alreadyExists
        case EACCES, EPERM: .permissionDenied
        // A file-size limit is a full disk as far as the ledger is concerned.
        case ENOSPC, EDQUOT, EFBIG: .storageFull
        case EROFS: .readOnly
        case EWOULDBLOCK: .wouldBlock
        case EMFILE, ENFILE: .tooManyOpenFiles
        case EISDIR, ELOOP, ENXIO, ENODEV: .unexpectedKind
        case EIO: .inputOutput
        case ETIMEDOUT: .timedOut
        default: .other
        }
    }
}
