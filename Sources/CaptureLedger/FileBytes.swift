import MediaChecks
import SystemCalls

/// A file as the sniffer reads it: at random places, a window at a time.
final class FileBytes: ByteSource {
    let file: FileDescriptor
    let size: Int64

    init(_ file: consuming FileDescriptor) throws(SystemError) {
        size = try file.status().size
        self.file = file
    }

    func read(at offset: Int64, into buffer: inout [UInt8]) throws(MediaReadFailure) -> Int {
        do {
            var span = buffer.mutableSpan
            return try file.read(into: &span, at: offset)
        } catch {
            throw MediaReadFailure(systemCode: error.errno)
        }
    }
}

extension FileBytes {
    /// A file that a client named.
    ///
    /// - Throws: `no_such_file`, `permission_denied`, `file_unreadable`.
    static func opening(_ path: String) throws(LedgerError) -> FileBytes {
        do throws(SystemError) {
            return try FileBytes(FileDescriptor(readingFile: path))
        } catch {
            throw LedgerError(
                code: .unreadable(error), message: "The file to capture cannot be read: \(error.message).",
                remedy: error.remedy)
        }
    }
}
