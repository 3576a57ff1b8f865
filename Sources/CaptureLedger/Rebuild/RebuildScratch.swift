import EventStorage
import Outbox
import Projections
import SQLite
import SchemaFiles
import SystemCalls

/// Flow and delivery rows being built in a database of their own, outside the ledger: nobody sees them half done, and a crash leaves
/// nothing in the ledger. The statements that write them are the live ones.
final class RebuildScratch {
    /// In the order in which they are copied.
    static let tables = ["flow", "delivery"]

    let path: String
    private let folder: String
    private let connection: Connection
    private let indexes: [String]
    private let flows: FlowProjection
    private let deliveries: DeliveryProjection

    /// - Parameter reader: of the ledger; the scratch tables are made as the ledger's are.
    init(like reader: Connection) throws(LedgerError) {
        folder = try called { () throws(SystemError) in try FileSystem.makeTemporaryFolder() }
        path = folder + "/projections.sqlite"
        let path = path
        do {
            (connection, indexes, flows, deliveries) = try translated { () throws(StorageError) in
                let (connection, indexes) = try stored { () throws(SQLiteError) in try Self.make(path, like: reader) }
                return (
                    connection, indexes, try FlowProjection(connection),
                    try DeliveryProjection(connection, deliveryID: Identifiers.delivery)
                )
            }
        } catch {
            _ = try? FileSystem.remove(path)
            _ = try? FileSystem.removeFolder(folder)
            throw error
        }
    }

    /// The tables, and how their indexes will be made once they are full.
    private static func make(_ path: String, like reader: Connection) throws(SQLiteError) -> (Connection, [String]) {
        let connection = try Connection(path: path, mode: .create)
        try connection.execute(SchemaFiles.configureScratch)
        var indexes: [String] = []
        let schema = try Statement(reader, SchemaFiles.projectionSchema)
        while try schema.step() {
            if schema.text(0) == "table" { try connection.execute(schema.text(1)) } else { indexes.append(schema.text(1)) }
        }
        return (connection, indexes)
    }

    deinit {
        _ = try? FileSystem.remove(path)
        _ = try? FileSystem.removeFolder(folder)
    }

    /// Runs `body` in one transaction, so that it costs nothing by itself.
    func inTransaction(_ body: () throws(LedgerError) -> Void) throws(LedgerError) {
        let transaction = try translated { () throws(StorageError) in
            try stored { () throws(SQLiteError) in try Transaction(connection) }
        }
        try body()
        do throws(SQLiteError) { try transaction.commit() } catch { throw LedgerError(StorageError(error)) }
    }

    /// The rows of a session that has none yet.
    func insert(_ session: ProjectedSession) throws(StorageError) {
        if let flow = session.flow { try flows.write(flow) }
        var fold = session.deliveries
        try deliveries.write(&fold, session: session.id, number: session.number)
    }

    /// To be called once, when the tables are full.
    func makeIndexes() throws(StorageError) {
        try stored { () throws(SQLiteError) in for index in indexes { try connection.execute(index) } }
    }

    /// Folds anew the sessions that got events behind `position`, after the jumps of the clock that came with them.
    func follow(after position: Int64, through last: Int64, _ context: ReadContext) throws(StorageError) {
        let jumps = try ClockJumps(context.connection).through(last)
        let moved = jumps.total(after: position)
        let forget = try stored { () throws(SQLiteError) in
            let move = try Statement(connection, SchemaFiles.moveDeadlines)
            move.bind(moved, at: 1)
            if moved != 0 { try move.run() }
            return try Statement(connection, SchemaFiles.deleteDeliveriesOfSession)
        }
        let projector = try SessionProjector(context, jumps: jumps)
        for number in try context.events.sessionsChanged(after: position, through: last) {
            try stored { () throws(SQLiteError) in
                forget.bind(number, at: 1)
                try forget.run()
            }
            for session in try projector.project(sessionsAbove: number - 1, through: number, at: last) { try insert(session) }
        }
    }
}
