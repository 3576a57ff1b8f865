import EventStorage
import SQLite
import Testing

/// The log attacked with raw SQL, as by somebody with another program.
@Suite struct AppendOnlyTests {
    private static let columns =
        "session_no, version, event_id, type, schema_version, recorded_at_ms, flags, facts FROM event WHERE position = 1"

    /// A statement and the sentence that answers it.
    static let onEvents = [
        ("UPDATE event SET facts = '{}' WHERE position = 2", "events are append-only: an event is never changed"),
        ("UPDATE event SET private = NULL", "events are append-only: an event is never changed"),
        ("UPDATE OR REPLACE event SET position = 2 WHERE position = 1", "events are append-only: an event is never changed"),
        ("UPDATE OR IGNORE event SET version = 2", "events are append-only: an event is never changed"),
        ("DELETE FROM event", "events are append-only: an event is never deleted"),
        ("DELETE FROM event WHERE position = 5", "events are append-only: an event is never deleted"),
        ("INSERT OR REPLACE INTO event SELECT * FROM event WHERE position = 1", notNext),
        ("INSERT OR REPLACE INTO event SELECT * FROM event", notNext),
        (insert("INSERT OR REPLACE", position: "5", version: "4"), notNext),
        (insert("REPLACE", position: "6", version: "1"), notNext),
        (insert("INSERT OR IGNORE", position: "6", version: "1"), notNext),
        (insert("INSERT", position: "7", version: "4"), notNext),
        (insert("INSERT", position: "0", version: "4"), notNext),
        (insert("INSERT", position: "-1", version: "4"), notNext),
        (insert("INSERT", position: "NULL", version: "4"), notNext),
        (insert("INSERT", position: "3", version: "4"), notNext),
        (insert("INSERT", position: "6", version: "5"), notNext),
        (insert("INSERT", position: "6", version: "3"), notNext),
        (
            insert("INSERT", position: "5", version: "3") + " ON CONFLICT (position) DO UPDATE SET facts = '{}'", notNext
        ),
    ]

    private static let notNext = "events are append-only: the position or the session version is not the next one"

    private static func insert(_ verb: String, position: String, version: String) -> String {
        verb + " INTO event (position, session_no, version, event_id, type, schema_version, recorded_at_ms, flags, facts) "
            + "SELECT \(position), session_no, \(version), event_id, type, schema_version, recorded_at_ms, flags, '{\"x\":1}' "
            + "FROM event WHERE position = 1"
    }

    @Test(arguments: onEvents)
    func `an event is never changed, replaced, taken away or put out of order`(attack: (sql: String, sentence: String)) throws {
        try refuses(attack.sql, attack.sentence, table: "event")
    }

    @Test(arguments: [
        ("UPDATE event_commit SET chain = zeroblob(32)", "commits are append-only: a commit is never changed"),
        ("UPDATE OR REPLACE event_commit SET last_position = 5", "commits are append-only: a commit is never changed"),
        ("DELETE FROM event_commit WHERE last_position = 5", "commits are append-only: a commit is never deleted"),
        ("INSERT OR REPLACE INTO event_commit SELECT * FROM event_commit WHERE last_position = 5", noCommit),
        ("INSERT INTO event_commit VALUES (5, 4, 0, zeroblob(32))", noCommit),
        ("INSERT INTO event_commit VALUES (8, 7, 0, zeroblob(32))", noCommit),
        ("REPLACE INTO event_commit VALUES (3, 1, 0, zeroblob(32))", noCommit),
    ])
    func `a commit is never changed, replaced, taken away or left out`(attack: (sql: String, sentence: String)) throws {
        try refuses(attack.sql, attack.sentence, table: "event_commit")
    }

    private static let noCommit = "commits are append-only: this one does not begin where the last one ended"

    @Test(arguments: [
        ("UPDATE session SET key_no = 9 WHERE session_no = 1", "a session keeps its number, its id and its key"),
        ("UPDATE OR REPLACE session SET session_no = 2 WHERE session_no = 1", "a session keeps its number, its id and its key"),
        (
            "DELETE FROM session WHERE session_no = 1",
            "a session is never deleted: erase destroys its key and keeps its events"
        ),
        ("INSERT OR REPLACE INTO session VALUES (1, randomblob(16), 9)", taken),
        ("INSERT OR REPLACE INTO session SELECT 3, session_id, 9 FROM session WHERE session_no = 1", taken),
        ("INSERT OR REPLACE INTO session VALUES (3, randomblob(16), 1)", taken),
        ("INSERT INTO session VALUES (7, randomblob(16), 9)", taken),
    ])
    func `a session keeps its number, its id and its key`(attack: (sql: String, sentence: String)) throws {
        try refuses(attack.sql, attack.sentence, table: "session")
    }

    private static let taken = "sessions are append-only: the number is not the next one, or the id or the key is taken"

    @Test(arguments: [
        ("UPDATE attempt SET status = 200", "the delivery log is append-only: an attempt is never changed"),
        ("UPDATE OR REPLACE attempt SET number = 2", "the delivery log is append-only: an attempt is never changed"),
        ("DELETE FROM attempt", "the delivery log is append-only: an attempt is never deleted"),
        ("INSERT OR REPLACE INTO attempt SELECT * FROM attempt WHERE attempt_no = 1", notItsNumber),
        (attempt("INSERT", "NULL", 4), notItsNumber),
        (attempt("INSERT", "NULL", 1), notItsNumber),
        (attempt("INSERT OR REPLACE", "1", 3), notItsNumber),
    ])
    func `an attempt is never changed, replaced, taken away or left out`(attack: (sql: String, sentence: String)) throws {
        try refuses(attack.sql, attack.sentence, table: "attempt")
    }

    private static let notItsNumber =
        "the delivery log is append-only: the number is not the next one of its delivery, or its place is taken"

    static func attempt(_ verb: String, _ place: String, _ number: Int) -> String {
        verb
            + " INTO attempt VALUES (\(place), 1, zeroblob(16), \(number), 1, 'verifier', 'send', 1, 2, 'answered', 0, 500, 1, "
            + "1, 'server_error', 'retry', NULL, 3, 1, NULL, NULL)"
    }

    @Test func `what is next is still taken`() throws {
        let store = try sound()
        let foreign = try store.foreign()
        try foreign.execute(Self.insert("INSERT", position: "6", version: "4"))
        try foreign.execute(Self.attempt("INSERT", "NULL", 3))
        try foreign.execute("INSERT INTO session VALUES (3, randomblob(16), 9)")
        #expect(try number(foreign, "SELECT count(*) FROM event") == 6)
    }

    /// Two sessions of three and two events in two commits, and two attempts of one delivery.
    private func sound() throws -> Store {
        let store = try Store()
        try store.addSession(events: 3)
        try store.addSession(events: 2)
        try store.connection.execute(Self.attempt("INSERT", "NULL", 1))
        try store.connection.execute(Self.attempt("INSERT", "NULL", 2))
        return store
    }

    private func refuses(_ sql: String, _ sentence: String, table: String) throws {
        let store = try sound()
        let foreign = try store.foreign()
        let columns = try rows(foreign, "SELECT group_concat('quote(' || name || ')', '||') FROM pragma_table_info('\(table)')")
        let dump = "SELECT \(columns[0]) FROM \(table) ORDER BY 1"
        let before = try rows(foreign, dump)
        #expect(before.count >= 2)
        #expect(throws: SQLiteError(code: 19, extendedCode: 1811, message: sentence)) { try foreign.execute(sql) }
        #expect(try rows(foreign, dump) == before, "\(sql)")
    }
}
