import SystemCalls

/// A file of JSON lines that exports are appended to. What was handed over is on the disk before the checkpoint moves.
package final class AnalyticsFile {
    private let file: FileDescriptor

    /// How every line of such a file begins.
    private static let beginning = Array("{\"event_id\":".utf8)

    /// Makes the file when it is not there. A last line that a crash cut off is taken away: its event comes again.
    ///
    /// - Throws: `events_file_foreign` for a file that holds something else; it is left as it is.
    package init(path: String) throws(LedgerError) {
        let isOurs: Bool
        do throws(SystemError) {
            if try FileStatus.of(path) == nil {
                _ = try FileDescriptor(opening: path, .createNew)
                try FileSystem.synchronizeFolder(FileSystem.parent(of: path))
            }
            file = try FileDescriptor(opening: path, .append, followLinks: true)
            isOurs = try Self.beginsAsOurs(file)
            if isOurs { try Self.trim(file) }
        } catch {
            throw LedgerError(error)
        }
        if isOurs { return }
        throw LedgerError(
            code: .init(rawValue: "events_file_foreign"),
            message: "That file holds something else than exported events; nothing was appended to it.",
            remedy: "Name a file that an earlier export made, or one that does not exist yet.")
    }

    private static func beginsAsOurs(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
        guard try file.status().kind == .file else { return true }
        var bytes = [UInt8](repeating: 0, count: beginning.count)
        var span = bytes.mutableSpan
        let count = try file.read(into: &span, at: 0)
        return bytes[..<count] == beginning[..<count]
    }

    package func append(_ batch: ReportedBatch) throws(LedgerError) {
        try called { () throws(SystemError) in
            try file.write(batch.lines)
            try file.synchronize()
        }
    }

    private static func trim(_ file: borrowing FileDescriptor) throws(SystemError) {
        let status = try file.status()
        guard status.kind == .file, status.size > 0 else { return }
        var end = status.size
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while end > 0 {
            let start = max(0, end - Int64(buffer.count))
            var span = buffer.mutableSpan
            let count = min(Int(end - start), try file.read(into: &span, at: start))
            if let feed = buffer[..<count].lastIndex(of: 0x0A) {
                end = start + Int64(feed) + 1
                break
            }
            end = start
        }
        if end < status.size { try file.truncate(to: end) }
    }
}
