package import MediaChecks
package import SystemCalls

/// A file as the sniffer reads it: at random places, a window at a time.
package final class FileBytes: ByteSource {
    let file: FileDescriptor
    package let size: Int64

    package init(_ file: consuming FileDescriptor) throws(SystemError) {
        size = try file.status().size
        self.file = file
    }

    package func read(at offset: Int64, into buffer: inout [UInt8]) throws(MediaReadFailure) -> Int {
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
                code: .unreadable(error), message: "The file cannot be read: \(error.message).",
                remedy: error.remedy)
        }
    }
}
