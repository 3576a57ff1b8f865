import EventStorage
import SQLite
import SystemCalls

/// Puts rows into a ledger's databases, which nobody else uses meanwhile. The tables' own constraints and triggers refuse what does not
/// follow from what is there.
final class RowTaker {
    private static let batch = 10_000

    private let ledger: Connection
    private let keys: Connection?
    private let after: Int64
    private var place = -1
    private var statement: Statement?
    private var inBatch = 0
    private var transaction: Transaction?
    private var keyTransaction: Transaction?

    /// - Parameters:
    ///   - keys: nil where they do not come as rows.
    ///   - after: 0, or the position behind which the rows begin.
    init(ledger: Connection, keys: Connection?, after: Int64) {
        self.ledger = ledger
        self.keys = keys
        self.after = after
    }

    func take(_ place: Int, _ row: borrowing RowBytes) throws(LedgerError) {
        try advance(to: place)
        guard let statement else { throw .damagedExport("it holds keys where none belong") }
        let table = RowTable.all[place]
        let connection = table.isInKeys ? keys ?? ledger : ledger
        do throws(SQLiteError) { try statement.run(row: row) } catch {
            guard error.isConstraint else { throw LedgerError(StorageError(error)) }
            throw .damagedExport("a row of \(table.name) does not follow from the others (\(error.message))")
        }
        // A row that was there already is what a part may repeat, and nothing else.
        guard after > 0 || connection.changes == 1 else { throw .damagedExport("a row of \(table.name) is in it twice") }
        inBatch += 1
        if inBatch == Self.batch, !table.isInKeys {
            try commit()
            transaction = try begin(ledger)
            inBatch = 0
        }
    }

    /// Everything is in the databases when it returns.
    func finish() throws(LedgerError) {
        try advance(to: RowTable.all.count)
        statement = nil
        try commit()
    }

    private func commit() throws(LedgerError) {
        let first = keyTransaction.take()
        let second = transaction.take()
        do throws(SQLiteError) {
            if let first { try first.commit() }
            if let second { try second.commit() }
        } catch { throw LedgerError(StorageError(error)) }
    }

    /// What a part brings again is forgotten first, also where it brings nothing.
    private func advance(to next: Int) throws(LedgerError) {
        if place < 0 {
            transaction = try begin(ledger)
            if let keys { keyTransaction = try begin(keys) }
        }
        while place < next {
            place += 1
            guard place < RowTable.all.count else { return }
            let table = RowTable.all[place]
            let connection = table.isInKeys ? keys : ledger
            statement = try translated { () throws(StorageError) in
                try stored { () throws(SQLiteError) in
                    guard let connection else { return nil }
                    if after > 0, let sql = table.forget {
                        let forget = try Statement(connection, sql)
                        forget.bind(after, at: 1)
                        try forget.run()
                    }
                    return try Statement(connection, table.take)
                }
            }
        }
    }

    private func begin(_ connection: Connection) throws(LedgerError) -> Transaction {
        do throws(SQLiteError) { return try Transaction(connection) } catch { throw LedgerError(StorageError(error)) }
    }
}
