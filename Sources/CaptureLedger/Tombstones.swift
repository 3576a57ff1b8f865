import SessionDomain
import SystemCalls

/// What is remembered of erasures outside the ledger, so that no backup brings an erased person back: one JSON object a line.
enum Tombstones {
    struct Entry: Sendable, Equatable {
        let session: SessionID
        let keyNumber: Int64
        let erasedAtMilliseconds: Int64
    }

    static func makeFile(_ path: String, access: FileAccess) throws(SystemError) {
        let file = try FileDescriptor(opening: path, .writeOrCreate, mode: access.fileMode)
        try access.apply(to: file, mode: access.fileMode)
        try file.synchronize()
        try FileSystem.synchronizeFolder(FileSystem.parent(of: path))
    }

    /// Durable when it returns. Repeating an entry is harmless.
    static func append(_ entry: Entry, to path: String) throws(LedgerError) {
        let line = JSONValue.members([
            .init("session_id", .string(entry.session.text)), .init("key_no", .integer(entry.keyNumber)),
            .init("erased_at_ms", .integer(entry.erasedAtMilliseconds)),
        ]).canonical
        try called { () throws(SystemError) in
            let file = try FileDescriptor(opening: path, .append)
            // A line that a crash cut short must not swallow this one.
            let size = try file.status().size
            var last = [UInt8](repeating: UInt8(ascii: "\n"), count: 1)
            if size > 0 {
                var span = last.mutableSpan
                _ = try file.read(into: &span, at: size - 1)
            }
            try file.write(Array(((last[0] == UInt8(ascii: "\n") ? "" : "\n") + line + "\n").utf8))
            try file.synchronize()
        }
    }

    /// Every whole line; nil when there is no such file.
    static func read(_ path: String) throws(LedgerError) -> [Entry]? {
        guard (try? FileStatus.of(path)) ?? nil != nil else { return nil }
        let bytes = try called { () throws(SystemError) in
            try FileDescriptor(opening: path, .read).readToEnd(limit: 1 << 30)
        }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let value = try? JSONValue.parse(Array(line)), let session = value["session_id"]?.asString,
                let id = SessionID(session), let key = value["key_no"]?.asInteger, let time = value["erased_at_ms"]?.asInteger
            else { return nil }
            return Entry(session: id, keyNumber: key, erasedAtMilliseconds: time)
        }
    }
}
