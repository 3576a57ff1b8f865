import Glibc
import Synchronization

/// A file that only grows, line by line: what was appended is read by others even when this process is killed.
package final class AppendedLines: Sendable {
    /// The whole lines that were there when the file was opened.
    package let found: [String]
    private let descriptor: Mutex<Int32>

    /// Creates the file, readable by its owner alone, or goes on with one that is there; what a killed process left of a last line
    /// is cut off.
    ///
    /// - Throws: `cannot_append`.
    package init(path: String) throws(HTTPServerError) {
        let opened = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw Self.error() }
        descriptor = Mutex(opened)
        var bytes: [UInt8] = []
        while true {
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, filled in
                filled = unsafe max(0, read(opened, buffer.baseAddress, buffer.count))
            }
            if piece.isEmpty { break }
            bytes += piece
        }
        let whole = bytes.lastIndex(of: 10).map { $0 + 1 } ?? 0
        found = bytes[..<whole].split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        guard ftruncate(opened, whole) == 0 else { throw Self.error() }
    }

    deinit { descriptor.withLock { _ = close($0) } }

    /// Hands one line to the kernel; the line break is added.
    ///
    /// - Throws: `cannot_append`; a part of the line may then be in the file.
    package func append(_ line: String) throws(HTTPServerError) {
        let bytes = Array((line + "\n").utf8)
        let isWritten = descriptor.withLock { descriptor in
            var done = 0
            while done < bytes.count {
                let count = unsafe bytes.withUnsafeBytes { buffer in
                    unsafe write(descriptor, buffer.baseAddress! + done, buffer.count - done)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
        guard isWritten else { throw Self.error() }
    }

    private static func error() -> HTTPServerError {
        HTTPServerError(
            code: .cannotAppend, message: "Cannot append to the record: \(lastSystemError()).",
            remedy: "Name a file in a folder that exists and is yours, on a disk with room.")
    }
}
