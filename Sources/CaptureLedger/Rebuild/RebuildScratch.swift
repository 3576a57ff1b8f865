import EventStorage
import Outbox
import Projections
import SQLite
import SchemaFiles
import SystemCalls

/// Flow and delivery rows being built in a database of their own, outside the ledger: nobody sees them half done, and a crash leaves
/// nothing in the ledger. The folds and statements that write them are the live ones. One thread at a time has it.
final class RebuildScratch: @unchecked Sendable {
    /// In the order in which they are copied.
    static let tables = ["flow", "delivery"]

    let path: String
    private let folder: String
    private let connection: Connection
    private let flows: FlowProjection
    private let deliveries: DeliveryProjection

    /// - Parameter reader: of the ledger; the scratch tables are made as the ledger's are.
    init(like reader: Connection) throws(LedgerError) {
        folder = try called { () throws(SystemError) in try FileSystem.makeTemporaryFolder() }
        path = folder + "/projections.sqlite"
        let path = path
        do {
            (connection, flows, deliveries) = try translated { () throws(StorageError) in
                let connection = try stored { () throws(SQLiteError) in try Self.make(path, like: reader) }
                return (
                    connection, try FlowProjection(connection),
                    try DeliveryProjection(connection, deliveryID: Identifiers.delivery)
                )
            }
        } catch {
            _ = try? FileSystem.remove(path)
            _ = try? FileSystem.removeFolder(folder)
            throw error
        }
    }

    private static func make(_ path: String, like reader: Connection) throws(SQLiteError) -> Connection {
        let connection = try Connection(path: path, mode: .create)
        try connection.execute(SchemaFiles.configureScratch)
        let schema = try Statement(reader, SchemaFiles.projectionSchema)
        while try schema.step() { try connection.execute(schema.text(0)) }
        return connection
    }

    deinit {
        _ = try? FileSystem.remove(path)
        _ = try? FileSystem.removeFolder(folder)
    }

    /// What follows is one transaction, so that a row costs nothing by itself.
    func begin() throws(LedgerError) {
        try translated { () throws(StorageError) in
            try stored { () throws(SQLiteError) in try connection.execute("BEGIN IMMEDIATE") }
        }
    }

    func commit() throws(LedgerError) {
        try translated { () throws(StorageError) in
            try stored { () throws(SQLiteError) in try connection.execute("COMMIT") }
        }
    }

    /// The rows of sessions that have none yet.
    func insert(_ page: ProjectionPage) throws(StorageError) {
        try flows.write(page.flows)
        try deliveries.insert(page.deliveries)
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
        let projector = try SessionProjector(context)
        for number in try context.events.sessionsChanged(after: position, through: last) {
            try stored { () throws(SQLiteError) in
                forget.bind(number, at: 1)
                try forget.run()
            }
            let page = ProjectionPage()
            try projector.project(sessionsAbove: number - 1, through: number, at: last) { (session) throws(StorageError) in
                page.addFlow(session, jumps: jumps)
            }
            try insert(page)
        }
    }
}
