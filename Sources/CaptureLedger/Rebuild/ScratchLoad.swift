import EventStorage
import Projections
import SQLite
import SchemaFiles

/// Fills the flow and delivery tables of a scratch straight in its file, for as long as rows come in the order of their keys, and their
/// indexes with them. It belongs to one thread at a time.
final class ScratchLoad {
    /// Rows that may wait for earlier ones, or for their place in an index: some 10 MB.
    struct Limits {
        var waitingRows = 100_000
        var sortedEntries = 200_000
    }

    /// Those that are filled along with their tables; others are made afterwards.
    enum Index: String, CaseIterable {
        case ofSession = "delivery_of_session"
        case waiting = "delivery_waiting"
        case parked = "delivery_parked"
        case expiring = "flow_that_can_expire"
    }

    private let limits: Limits
    private let file: TableFile
    private let flows: TableWriter
    private let deliveries: TableWriter
    private let indexes: [Index: TableWriter]
    private let order: DeliveryOrder
    private var expiring: [(atMilliseconds: Int64, session: Int64)] = []
    private var waiting: [(destination: String, number: Int64)] = []
    private var parked: [Int64] = []

    /// - Parameter path: a file in which the tables and `Index` were made, and which nobody has open.
    init(path: String, _ limits: Limits) throws(StorageError) {
        self.limits = limits
        (file, flows, deliveries, indexes) = try stored { () throws(SQLiteError) in
            let connection = try Connection(path: path, mode: .read)
            let file = try TableFile(path: path)
            var indexes: [Index: TableWriter] = [:]
            for index in Index.allCases {
                indexes[index] = TableWriter(file, try TableShape(index: index.rawValue, connection))
            }
            return (
                file, TableWriter(file, try TableShape("flow", connection)),
                TableWriter(file, try TableShape("delivery", connection)), indexes
            )
        }
        order = DeliveryOrder(most: limits.waitingRows)
    }

    /// - Returns: false where the order of deliveries is lost: nothing of the page was taken in then.
    func insert(_ page: ProjectionPage) throws(StorageError) -> Bool {
        try stored { () throws(SQLiteError) in
            guard let ready = order.add(page.deliveries, first: page.firstPosition) else { return false }
            try deliveries.append(ready)
            try flows.append(page.flows)
            try indexes[.ofSession]?.append(page.deliveriesOfSessions)
            if hasRoom {
                expiring += page.expiring
                waiting += page.waiting
                parked += page.parked
            }
            return true
        }
    }

    /// Every row was taken in: makes a database of the file again.
    ///
    /// - Returns: false where the indexes are still to be made.
    func finish() throws(StorageError) -> Bool {
        try stored { () throws(SQLiteError) in
            try deliveries.append(order.waiting.packed)
            if hasRoom { try fillIndexes() }
            try end()
            return hasRoom
        }
    }

    /// The order is lost: makes a database of the file again, with wrong indexes.
    ///
    /// - Returns: rows that wait and are still to be inserted.
    func giveUp() throws(StorageError) -> PackedRows {
        try stored { () throws(SQLiteError) in try end() }
        return order.waiting.packed
    }

    private func end() throws(SQLiteError) {
        for table in [flows, deliveries] + indexes.values { try table.finish() }
        try file.finish()
    }

    private var hasRoom: Bool { expiring.count + waiting.count + parked.count <= limits.sortedEntries }

    /// With rows that meet the conditions of the indexes: not many do.
    private func fillIndexes() throws(SQLiteError) {
        let (expiringRows, waitingRows, parkedRows) = (PackedRows(), PackedRows(), PackedRows())
        for (time, session) in expiring.sorted(by: { $0 < $1 }) {
            expiringRows.append(time)
            expiringRows.append(session)
        }
        let byName = waiting.sorted {
            $0.destination == $1.destination
                ? $0.number < $1.number : $0.destination.utf8.lexicographicallyPrecedes($1.destination.utf8)
        }
        for (destination, number) in byName {
            waitingRows.append(destination)
            for _ in 0..<2 { waitingRows.append(number) }
        }
        for number in parked.sorted() { for _ in 0..<2 { parkedRows.append(number) } }
        try indexes[.expiring]?.append(expiringRows)
        try indexes[.waiting]?.append(waitingRows)
        try indexes[.parked]?.append(parkedRows)
    }
}

extension TableShape {
    /// Of an index that can be filled in the order of its entries: its columns, then the row's number.
    fileprivate init(index: String, _ connection: Connection) throws(SQLiteError) {
        let shape = try Statement(connection, SchemaFiles.indexShape)
        shape.bind(index, at: 1)
        guard try shape.step() else { preconditionFailure("there is no index \(index)") }
        self.init(root: shape.int(0), columns: shape.int(1), keyColumns: shape.int(1), hasRowid: false)
    }
}
