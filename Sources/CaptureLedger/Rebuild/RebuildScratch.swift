import EventStorage
import Outbox
import Projections
import SQLite
import SchemaFiles
import SessionDomain
import SystemCalls

/// The projections being built in a database of their own, outside the ledger: nobody sees them half done, and a crash leaves
/// nothing in the ledger. The statements that write them are the live ones.
final class RebuildScratch {
    /// In the order in which they are copied.
    static let tables = ["flow", "delivery"]
    private static let page: Int64 = 512

    let path: String
    private let folder: String
    private let connection: Connection
    private let flows: FlowProjection
    private let deliveries: DeliveryProjection
    private let forget: Statement
    private let move: Statement
    private var jumps: ClockJumps
    private var jumpsThrough: Int64 = 0
    private(set) var events: Int64 = 0

    /// - Parameter reader: of the ledger; the scratch tables are made as the ledger's are.
    init(like reader: Connection) throws(LedgerError) {
        folder = try called { () throws(SystemError) in try FileSystem.makeTemporaryFolder() }
        path = folder + "/projections.sqlite"
        let path = path
        jumps = ClockJumps()
        do {
            (connection, flows, deliveries, forget, move) = try translated { () throws(StorageError) in
                let connection = try stored { () throws(SQLiteError) in
                    let connection = try Connection(path: path, mode: .create)
                    try connection.execute(SchemaFiles.configureScratch)
                    let schema = try Statement(reader, SchemaFiles.projectionSchema)
                    while try schema.step() { try connection.execute(schema.text(0)) }
                    return connection
                }
                return (
                    connection, try FlowProjection(connection),
                    try DeliveryProjection(connection, deliveryID: Identifiers.delivery),
                    try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.deleteDeliveriesOfSession) },
                    try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.moveDeadlines) }
                )
            }
        } catch {
            _ = try? FileSystem.remove(path)
            _ = try? FileSystem.removeFolder(folder)
            throw error
        }
    }

    deinit {
        _ = try? FileSystem.remove(path)
        _ = try? FileSystem.removeFolder(folder)
    }

    /// Folds every session that there is, a page of them at a time.
    func buildAll(_ context: ReadContext) throws(StorageError) {
        jumps = try ClockJumps(context.connection)
        jumpsThrough = try context.events.lastPosition()
        let sessions = try stored { () throws(SQLiteError) in try Statement(context.connection, SchemaFiles.sessionsAfter) }
        var last: Int64 = 0
        while true {
            sessions.bind(last, at: 1)
            sessions.bind(Self.page, at: 2)
            let page = try Self.read(sessions)
            guard let newest = page.last else { return }
            try build(page, isNew: true, context)
            last = newest.number
        }
    }

    /// Folds anew the sessions that got events above `position`.
    func buildChanged(after position: Int64, _ context: ReadContext) throws(StorageError) {
        jumps = try ClockJumps(context.connection)
        let moved = jumps.total(after: jumpsThrough)
        jumpsThrough = try context.events.lastPosition()
        if moved != 0 {
            move.bind(moved, at: 1)
            try stored { () throws(SQLiteError) in try move.run() }
        }
        let changed = try stored { () throws(SQLiteError) in
            try Statement(context.connection, SchemaFiles.sessionsChangedAfter)
        }
        changed.bind(position, at: 1)
        try build(try Self.read(changed), isNew: false, context)
    }

    private struct Session {
        let number: Int64
        let id: SessionID
    }

    private static func read(_ statement: Statement) throws(StorageError) -> [Session] {
        try stored { () throws(SQLiteError) in
            defer { statement.reset() }
            var found: [Session] = []
            while try statement.step() {
                guard let words = statement.words(1) else { continue }
                found.append(
                    Session(number: statement.int64(0), id: SessionID(UUID128(high: words.0, low: words.1))))
            }
            return found
        }
    }

    private func build(_ sessions: [Session], isNew: Bool, _ context: ReadContext) throws(StorageError) {
        let transaction = try stored { () throws(SQLiteError) in try Transaction(connection) }
        for session in sessions {
            if !isNew {
                forget.bind(session.number, at: 1)
                try stored { () throws(SQLiteError) in try forget.run() }
            }
            var fold = SessionFold()
            try context.events.forEachEvent(ofSession: session.number) { (stored) throws(StorageError) in
                let event = try context.configurations.decode(stored.encoded)
                fold.apply(event, position: stored.position, recordedAtMilliseconds: stored.recordedAtMilliseconds)
                events += 1
                guard let event else { return true }
                try deliveries.apply(
                    event, position: stored.position, session: session.id, number: session.number, state: fold.state)
                return true
            }
            let moved = jumps.total(after: fold.firstPosition)
            if let row = FlowRow(fold, sessionNumber: session.number, jumps: moved) { try flows.write(row) }
        }
        do throws(SQLiteError) { try transaction.commit() } catch { throw StorageError(error) }
    }
}
