import EventStorage
import Outbox
import Projections
import SQLite
import SchemaFiles
import SystemCalls

/// Flow and delivery rows being built in a database of their own, outside the ledger: nobody sees them half done, and a crash leaves
/// nothing in the ledger. Most rows are put straight into the file; the folds that make them are the live ones. One thread at a time has it.
final class RebuildScratch: @unchecked Sendable {
    /// In the order in which they are copied.
    static let tables = ["flow", "delivery"]

    let path: String
    private let folder: String
    /// While rows come in the order of their keys.
    private var load: ScratchLoad?
    /// Afterwards.
    private var writing: Writing?
    private var hasIndexes = false
    /// How indexes are made that are not filled along with their tables.
    private var laterIndexes: [String] = []

    private struct Writing {
        let connection: Connection
        let flows: FlowProjection
        let deliveries: DeliveryProjection
    }

    /// - Parameter reader: of the ledger; the scratch tables are made as the ledger's are.
    init(like reader: Connection, _ limits: ScratchLoad.Limits = ScratchLoad.Limits()) throws(LedgerError) {
        folder = try called { () throws(SystemError) in try FileSystem.makeTemporaryFolder() }
        path = folder + "/projections.sqlite"
        do {
            try translated { () throws(StorageError) in
                try stored { () throws(SQLiteError) in try makeTables(like: reader) }
                load = try ScratchLoad(path: path, limits)
            }
        } catch {
            _ = try? FileSystem.remove(path)
            _ = try? FileSystem.removeFolder(folder)
            throw error
        }
    }

    private func makeTables(like reader: Connection) throws(SQLiteError) {
        let connection = try Connection(path: path, mode: .create)
        try connection.execute(SchemaFiles.configureScratch)
        let schema = try Statement(reader, SchemaFiles.projectionSchema)
        while try schema.step() {
            let (sql, name) = (schema.text(0), schema.text(1))
            if Self.tables.contains(name) || ScratchLoad.Index(rawValue: name) != nil {
                try connection.execute(sql)
            } else {
                laterIndexes.append(sql)
            }
        }
    }

    deinit {
        writing = nil
        _ = try? FileSystem.remove(path)
        _ = try? FileSystem.removeFolder(folder)
    }

    /// The rows of sessions that have none yet.
    func insert(_ page: ProjectionPage) throws(StorageError) {
        if let load {
            if try load.insert(page) { return }
            let waiting = try load.giveUp()
            // from now on rows are inserted one by one, wherever their places are
            let writing = try open()
            try stored { () throws(SQLiteError) in try writing.connection.execute("BEGIN IMMEDIATE") }
            try writing.deliveries.insert(waiting)
        }
        guard let writing else { return }
        try writing.flows.write(page.flows)
        try writing.deliveries.insert(page.deliveries.packed)
    }

    /// Every session has its rows: what follows changes some of them.
    func finish() throws(StorageError) {
        if let load {
            hasIndexes = try load.finish()
            _ = try open()
        }
        guard let writing else { return }
        try stored { () throws(SQLiteError) in
            if !hasIndexes { try writing.connection.execute(SchemaFiles.reindexProjections) }
            for index in laterIndexes { try writing.connection.execute(index) }
            if writing.connection.isInTransaction { try writing.connection.execute("COMMIT") }
        }
    }

    private func open() throws(StorageError) -> Writing {
        load = nil
        let connection = try stored { () throws(SQLiteError) in
            let connection = try Connection(path: path, mode: .write)
            try connection.execute(SchemaFiles.configureScratch)
            return connection
        }
        let opened = Writing(
            connection: connection, flows: try FlowProjection(connection),
            deliveries: try DeliveryProjection(connection, deliveryID: DeliveryNames().delivery))
        writing = opened
        return opened
    }

    /// Folds anew the sessions that got events behind `position`, after the jumps of the clock that came with them.
    func follow(after position: Int64, through last: Int64, _ context: ReadContext) throws(StorageError) {
        guard let writing else { preconditionFailure("the rows of whole sessions come first") }
        let jumps = try ClockJumps(context.connection).through(last)
        let moved = jumps.total(after: position)
        let forget = try stored { () throws(SQLiteError) in
            let move = try Statement(writing.connection, SchemaFiles.moveDeadlines)
            move.bind(moved, at: 1)
            if moved != 0 { try move.run() }
            return try Statement(writing.connection, SchemaFiles.deleteDeliveriesOfSession)
        }
        let projector = try SessionProjector(context)
        for number in try context.events.sessionsChanged(after: position, through: last) {
            try stored { () throws(SQLiteError) in
                forget.bind(number, at: 1)
                try forget.run()
            }
            let page = ProjectionPage()
            try projector.project(sessionsAbove: number - 1, through: number, at: last) { (session) throws(StorageError) in
                page.addFlow(&session, jumps: jumps)
            }
            try insert(page)
        }
    }
}
