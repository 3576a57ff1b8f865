import SystemCalls

/// A file of JSON lines that exports are appended to. What was handed over is on the disk before the checkpoint moves.
package final class AnalyticsFile {
    private let file: FileDescriptor

    /// Makes the file when it is not there. A last line that a crash cut off is taken away: its event comes again.
    package init(path: String) throws(LedgerError) {
        do throws(SystemError) {
            if try FileStatus.of(path) == nil {
                _ = try FileDescriptor(opening: path, .createNew)
                try FileSystem.synchronizeFolder(FileSystem.parent(of: path))
            }
            file = try FileDescriptor(opening: path, .append, followLinks: true)
            try Self.trim(file)
        } catch {
            throw LedgerError(error)
        }
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
