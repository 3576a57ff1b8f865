import EventCoding
package import SQLite
import SchemaFiles
package import SessionDomain

/// Reads events from one connection, which belongs to one thread at a time. Inside the writer's transaction it sees what that
/// has appended so far.
package final class EventReader {
    package let connection: Connection
    private let statements: ReaderStatements
    private var configurations: [String: String] = [:]
    private var preparedErasureRequests: Statement?

    package init(_ connection: Connection) throws(StorageError) {
        self.connection = connection
        statements = try stored { () throws(SQLiteError) in try ReaderStatements(connection) }
    }

    package struct SessionRow: Sendable, Equatable {
        package let number: Int64
        package let id: SessionID
        package let keyNumber: Int64?

        package init(number: Int64, id: SessionID, keyNumber: Int64?) {
            self.number = number
            self.id = id
            self.keyNumber = keyNumber
        }
    }

    package func session(_ id: SessionID) throws(StorageError) -> SessionRow? {
        try stored { () throws(SQLiteError) in
            statements.sessionByID.bind(id.uuid.bytes, at: 1)
            defer { statements.sessionByID.reset() }
            guard try statements.sessionByID.step() else { return nil }
            return SessionRow(
                number: statements.sessionByID.int64(0), id: id, keyNumber: statements.sessionByID.optionalInt64(1))
        }
    }

    package func session(number: Int64) throws(StorageError) -> SessionRow? {
        try stored { () throws(SQLiteError) in
            statements.sessionByNumber.bind(number, at: 1)
            defer { statements.sessionByNumber.reset() }
            guard try statements.sessionByNumber.step(), let words = statements.sessionByNumber.words(0) else { return nil }
            return SessionRow(
                number: number, id: SessionID(UUID128(high: words.0, low: words.1)),
                keyNumber: statements.sessionByNumber.optionalInt64(1))
        }
    }

    /// What `erasureRequests` runs; nil in a ledger of an older version, which has no such table.
    func erasureStatement() throws(SQLiteError) -> Statement? {
        if let preparedErasureRequests { return preparedErasureRequests }
        guard try Statement(connection, SchemaFiles.hasErasureRequests).step() else { return nil }
        let statement = try Statement(connection, SchemaFiles.erasureRequests)
        preparedErasureRequests = statement
        return statement
    }

    /// Hands over a session's events above `version`, in order, until `body` answers false.
    package func forEachEvent(
        ofSession number: Int64, after version: Int64 = 0, _ body: (StoredEvent) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let statement = statements.eventsOfSession
        statement.bind(number, at: 1)
        statement.bind(version, at: 2)
        defer { statement.reset() }
        while try stored({ () throws(SQLiteError) in try statement.step() }) {
            guard try body(Self.event(statement)) else { return }
        }
    }

    package func events(ofSession number: Int64, after version: Int64 = 0) throws(StorageError) -> [StoredEvent] {
        var events: [StoredEvent] = []
        try forEachEvent(ofSession: number, after: version) { (event) throws(StorageError) in
            events.append(event)
            return true
        }
        return events
    }

    /// Up to `limit` events with positions in `after + 1 … last`, in order. A reader that asks in such pages never holds a
    /// snapshot for long, so the write-ahead log can be reset under it.
    package func events(after position: Int64, through last: Int64 = .max, limit: Int) throws(StorageError) -> [StoredEvent] {
        let statement = statements.eventsByPosition
        return try stored { () throws(SQLiteError) in
            statement.bind(position, at: 1)
            statement.bind(last, at: 2)
            statement.bind(limit, at: 3)
            defer { statement.reset() }
            var events: [StoredEvent] = []
            while try statement.step() { events.append(Self.event(statement)) }
            return events
        }
    }

    /// The position of the newest event, 0 in an empty ledger.
    package func lastPosition() throws(StorageError) -> Int64 {
        try stored { () throws(SQLiteError) in
            defer { statements.lastCommit.reset() }
            return try statements.lastCommit.step() ? statements.lastCommit.int64(0) : 0
        }
    }

    /// The number of the session that began last, 0 where none did. Numbers have no gaps.
    package func lastSessionNumber() throws(StorageError) -> Int64 { try single(statements.lastSession) }

    /// The version of a session's newest event, 0 where it has none.
    package func version(ofSession number: Int64) throws(StorageError) -> Int64 {
        statements.lastVersion.bind(number, at: 1)
        return try single(statements.lastVersion)
    }

    private func single(_ statement: Statement) throws(StorageError) -> Int64 {
        try stored { () throws(SQLiteError) in
            defer { statement.reset() }
            return try statement.step() ? statement.int64(0) : 0
        }
    }

    /// Up to `limit` sessions above `number` in order, without the ledger's own stream.
    package func sessions(after number: Int64, limit: Int) throws(StorageError) -> [SessionRow] {
        try stored { () throws(SQLiteError) in
            statements.sessionsAfter.bind(number, at: 1)
            statements.sessionsAfter.bind(limit, at: 2)
            defer { statements.sessionsAfter.reset() }
            var found: [SessionRow] = []
            found.reserveCapacity(limit)
            while try statements.sessionsAfter.step() {
                guard let words = statements.sessionsAfter.words(1) else { continue }
                found.append(
                    SessionRow(
                        number: statements.sessionsAfter.int64(0), id: SessionID(UUID128(high: words.0, low: words.1)),
                        keyNumber: nil))
            }
            return found
        }
    }

    /// The sessions with events at positions in `after + 1 … last`, in order, without the ledger's own stream.
    package func sessionsChanged(after position: Int64, through last: Int64) throws(StorageError) -> [Int64] {
        try stored { () throws(SQLiteError) in
            let changed = try Statement(connection, SchemaFiles.sessionsChangedBetween)
            changed.bind(position, at: 1)
            changed.bind(last, at: 2)
            var found: [Int64] = []
            while try changed.step() { found.append(changed.int64(0)) }
            return found
        }
    }

    /// The store's time of the event at a position; nil where there is none.
    package func time(of position: Int64) throws(StorageError) -> Int64? {
        try stored { () throws(SQLiteError) in
            let row = try Statement(connection, SchemaFiles.timeOfEvent)
            row.bind(position, at: 1)
            return try row.step() ? row.int64(0) : nil
        }
    }

    /// How many transactions have appended; it reads the whole commit table.
    package func commitCount() throws(StorageError) -> Int64 {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.countCommits)
            return try statement.step() ? statement.int64(0) : 0
        }
    }

    /// The text of an interned configuration, by its digest in lower hex.
    package func configuration(_ digest: String) throws(StorageError) -> String? {
        if let known = configurations[digest] { return known }
        guard let bytes = Hex.bytes(digest) else { return nil }
        let found: String? = try stored { () throws(SQLiteError) in
            statements.configuration.bind(bytes, at: 1)
            defer { statements.configuration.reset() }
            return try statements.configuration.step() ? statements.configuration.text(0) : nil
        }
        if let found { configurations[digest] = found }
        return found
    }

    package func sessions(_ kind: LookupKind, digest: [UInt8]) throws(StorageError) -> [Int64] {
        try stored { () throws(SQLiteError) in
            statements.lookup.bind(kind.rawValue, at: 1)
            statements.lookup.bind(digest, at: 2)
            defer { statements.lookup.reset() }
            var numbers: [Int64] = []
            while try statements.lookup.step() { numbers.append(statements.lookup.int64(0)) }
            return numbers
        }
    }

    var eventsByPosition: Statement { statements.eventsByPosition }

    /// The event that a statement stands on, in the column order of `events_by_position`.
    package static func event(_ row: Statement) -> StoredEvent {
        let eventID = row.words(3) ?? (0, 0)
        let capture = row.words(14)
        return StoredEvent(
            position: row.int64(0), sessionNumber: row.int64(1), version: row.int64(2),
            eventID: UUID128(high: eventID.0, low: eventID.1), recordedAtMilliseconds: row.int64(6),
            occurredAtMilliseconds: row.optionalInt64(7), flags: EventFlags(rawValue: row.int(8)),
            commandID: row.optionalText(9), correlationID: row.optionalText(10), causationPosition: row.optionalInt64(11),
            actor: row.optionalText(12),
            encoded: EncodedEvent(
                type: row.int(4), schemaVersion: row.int(5), piece: row.optionalInt64(13).map(Int.init),
                captureID: capture.map { UUID128(high: $0.0, low: $0.1) }, source: row.optionalInt64(15).map(Int.init),
                outcome: row.optionalInt64(16).map(Int.init), reason: row.optionalText(17),
                durationMilliseconds: row.optionalInt64(18), facts: row.text(19)),
            sealed: row.optionalBlob(20))
    }
}

private struct ReaderStatements {
    let sessionByID: Statement
    let sessionByNumber: Statement
    let eventsOfSession: Statement
    let eventsByPosition: Statement
    let lastCommit: Statement
    let lastSession: Statement
    let sessionsAfter: Statement
    let lastVersion: Statement
    let configuration: Statement
    let lookup: Statement
}

extension ReaderStatements {
    init(_ connection: Connection) throws(SQLiteError) {
        self.init(
            sessionByID: try Statement(connection, SchemaFiles.sessionById),
            sessionByNumber: try Statement(connection, SchemaFiles.sessionByNo),
            eventsOfSession: try Statement(connection, SchemaFiles.eventsOfSession),
            eventsByPosition: try Statement(connection, SchemaFiles.eventsByPosition),
            lastCommit: try Statement(connection, SchemaFiles.lastCommit),
            lastSession: try Statement(connection, SchemaFiles.lastSession),
            sessionsAfter: try Statement(connection, SchemaFiles.sessionsAfter),
            lastVersion: try Statement(connection, SchemaFiles.lastVersion),
            configuration: try Statement(connection, SchemaFiles.findConfiguration),
            lookup: try Statement(connection, SchemaFiles.findLookup))
    }
}
