import EventCoding
import EventStorage
import Outbox
import SQLite
import SchemaFiles
import SessionDomain

extension Ledger {
    /// What waits, what is held up, and how many sessions stand where.
    func standing() throws(LedgerError) -> JSONValue {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let backlog = try context.outbox.backlog()
                var members: [JSONValue.Member] = [
                    .init("waiting", .integer(Int64(backlog.waiting))), .init("parked", .integer(Int64(backlog.parked))),
                ]
                if let oldest = backlog.oldestConfirmedAtMilliseconds {
                    members.append(.init("oldest_confirmed_at_ms", .integer(oldest)))
                }
                members.append(
                    .init(
                        "parked_by_cause",
                        .array(
                            try context.outbox.parkedCounts().map {
                                .members([
                                    .init("destination", .string($0.destination)), .init("cause", .string($0.cause)),
                                    .init("count", .integer(Int64($0.count))),
                                ])
                            })))
                members.append(
                    .init(
                        "paused",
                        .array(
                            try context.outbox.pauses().map {
                                .members([
                                    .init("destination", .string($0.destination)),
                                    .init("reason", .string($0.pause.reason.rawValue)),
                                    .init("since_ms", .integer($0.pause.sinceMilliseconds)),
                                ])
                            })))
                let sessions = try context.flows.counts().map { entry in
                    JSONValue.members([
                        .init("status", .string(entry.status)), .init("phase", .string(entry.phase)),
                        .init("count", .integer(Int64(entry.count))),
                    ])
                }
                members.append(.init("sessions", .array(sessions)))
                return .members(members)
            }
        }
    }

    /// How many events there are of each kind, and when the last one was; refusals, failures and causes are among their codes.
    func eventFigures() throws(LedgerError) -> JSONValue {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                .array(
                    try context.rows(SchemaFiles.eventsByKind) { row in
                        let type = row.int(0)
                        var members: [JSONValue.Member] = [
                            .init("type", .string(EventType(rawValue: type)?.name ?? String(type))),
                            .init("count", .integer(row.int64(4))), .init("first_at_ms", .integer(row.int64(5))),
                            .init("last_at_ms", .integer(row.int64(6))),
                        ]
                        if let piece = row.optionalInt64(1).flatMap({ Piece(code: Int($0)) }) {
                            members.append(.init("piece", .string(piece.rawValue)))
                        }
                        if let outcome = row.optionalInt64(2).flatMap({ OutcomeCode(rawValue: Int($0)) }) {
                            members.append(.init("outcome", .string(outcome.name)))
                        }
                        if let reason = row.optionalText(3), Self.isCode(reason) {
                            members.append(.init("reason", .string(reason)))
                        }
                        return .members(members)
                    })
            }
        }
    }

    /// What became of every request, by class.
    func attemptClasses() throws(LedgerError) -> JSONValue {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                .array(
                    try context.rows(SchemaFiles.attemptsByClass) { row in
                        .members([
                            .init("destination", .string(row.text(0))), .init("kind", .string(row.text(1))),
                            .init("certainty", .string(row.text(2))), .init("curl_code", .integer(row.int64(3))),
                            .init("status", .integer(row.int64(4))), .init("explanation", .string(row.text(5))),
                            .init("action", .string(row.text(6))), .init("count", .integer(row.int64(7))),
                            .init("first_at_ms", .integer(row.int64(8))), .init("last_at_ms", .integer(row.int64(9))),
                        ])
                    })
            }
        }
    }

    /// A word of ours, and not a sentence that somebody wrote.
    private static func isCode(_ text: String) -> Bool {
        text.utf8.count <= 64 && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
}

extension ReadContext {
    fileprivate func rows(_ sql: [UInt8], _ read: (Statement) -> JSONValue) throws(StorageError) -> [JSONValue] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, sql)
            var rows: [JSONValue] = []
            while try statement.step() { rows.append(read(statement)) }
            return rows
        }
    }
}
