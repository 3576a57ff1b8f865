import SessionDomain
import SystemCalls

/// What is remembered of erasures outside the ledger, so that no backup brings an erased person back: one JSON object a line.
enum Tombstones {
    struct Entry: Sendable, Equatable {
        let session: SessionID
        let keyNumber: Int64
        let erasedAtMilliseconds: Int64
        /// Whose session it was; a line of an older version does not say.
        var ledger: UUID128?
        /// Who held what when the line was written; a line of an older version does not say.
        var recipients: [Recipient] = []

        var json: JSONValue {
            let members: [JSONValue.Member] = [
                .init("session_id", .string(session.text)), .init("key_no", .integer(keyNumber)),
                .init("erased_at_ms", .integer(erasedAtMilliseconds)),
                .init("recipients", .array(recipients.map(\.json))),
            ]
            return .members(members + (ledger.map { [.init("ledger_id", .string($0.text))] } ?? []))
        }
    }

    static func makeFile(_ path: String, access: FileAccess) throws(SystemError) {
        let file = try FileDescriptor(opening: path, .writeOrCreate, mode: access.fileMode)
        try access.apply(to: file, mode: access.fileMode)
        try file.synchronize()
        try FileSystem.synchronizeFolder(FileSystem.parent(of: path))
    }

    /// Durable when it returns. Repeating an entry is harmless.
    static func append(_ entry: Entry, to path: String) throws(LedgerError) {
        let line = entry.json.canonical
        try called { () throws(SystemError) in
            let file = try open(path)
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

    /// To write behind its end. What is no file, such as `/dev/null`, remembers nobody.
    private static func open(_ path: String) throws(SystemError) -> FileDescriptor {
        let file = try FileDescriptor(opening: path, .append, followLinks: true)
        guard try file.status().kind == .file else { throw SystemError(.unexpectedKind, call: "open", path: path) }
        return file
    }

    /// Whether a line can be added to it, before anything is begun that needs one.
    static func isWritable(_ path: String) -> Bool {
        do throws(LedgerError) {
            try check(path)
            return true
        } catch {
            return false
        }
    }

    /// - Throws: `tombstones_missing`, `tombstones_unwritable`.
    static func check(_ path: String) throws(LedgerError) {
        do throws(SystemError) { _ = try open(path) } catch {
            guard error.code != .notFound else { throw missing(path) }
            throw LedgerError(
                code: .init(rawValue: "tombstones_unwritable"),
                message:
                    "The tombstone file cannot be written (\(error.message)), so that nobody could be remembered as erased.",
                remedy: "Make it a file that this user may write, then repeat the command; nothing was changed.")
        }
    }

    private static func missing(_ path: String) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "tombstones_missing"),
            message: "The tombstone file \(path) is not there: without it erased persons would come back.",
            remedy:
                "Bring it back from where it is kept, or name it with --tombstones; for a ledger that never erased anybody "
                + "make an empty file.")
    }

    /// Every entry.
    ///
    /// - Throws: `tombstones_missing`; `tombstones_damaged` for a line that is none, since it may stand for a person.
    static func read(_ path: String) throws(LedgerError) -> [Entry] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileDescriptor(readingFile: path).readToEnd(limit: 1 << 30)
        } catch {
            throw error.code == .notFound ? missing(path) : LedgerError(error)
        }
        var entries: [Entry] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            guard let entry = entry(Array(line)) else {
                throw LedgerError(
                    code: .init(rawValue: "tombstones_damaged"), message: "Line \(index + 1) of \(path) is no tombstone.",
                    remedy:
                        "Look at the line: complete it from another copy of the file. If a crash cut it short and a later line "
                        + "names the same session, delete it.")
            }
            entries.append(entry)
        }
        return entries
    }

    private static func entry(_ line: [UInt8]) -> Entry? {
        guard let value = try? JSONValue.parse(line), let session = value["session_id"]?.asString,
            let id = SessionID(session), let key = value["key_no"]?.asInteger, key > 0,
            let time = value["erased_at_ms"]?.asInteger
        else { return nil }
        let recipients = value["recipients"]?.asArray ?? []
        return Entry(
            session: id, keyNumber: key, erasedAtMilliseconds: time,
            ledger: value["ledger_id"]?.asString.flatMap { UUID128($0) },
            recipients: recipients.compactMap(Recipient.init(json:)))
    }
}
