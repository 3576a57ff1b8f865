package import EventStorage
package import SQLite
import SchemaFiles
package import SessionDomain

/// Writes analytics.sqlite: facts session by session, and the sums that go with them. Its owner opens and commits the transaction.
package final class AnalyticsWriter {
    /// Of the tables; a file of another one is made anew.
    package static let schemaVersion: Int64 = 1

    let connection: Connection
    let statements: AnalyticsStatements
    let sumStatements: [DailySums.Table: SumStatements]
    private let transaction: (begin: Statement, commit: Statement)
    private let addRequest: Statement
    private let rows = AnalyticsRows()
    private var requests = RequestSums()
    private var sums = DailySums()

    package init(_ connection: Connection) throws(StorageError) {
        self.connection = connection
        (statements, sumStatements, addRequest, transaction) = try stored { () throws(SQLiteError) in
            var sums: [DailySums.Table: SumStatements] = [:]
            for table in DailySums.Table.allCases { sums[table] = try SumStatements(connection, table) }
            return (
                try AnalyticsStatements(connection), sums, try Statement(connection, SchemaFiles.analyticsAddDailyRequest),
                (try Statement(connection, "BEGIN IMMEDIATE"), try Statement(connection, "COMMIT"))
            )
        }
    }

    package func begin() throws(StorageError) { try stored { () throws(SQLiteError) in try transaction.begin.run() } }

    /// Writes what was summed, says how far the tables are, and makes all of it seen at once.
    package func commit(_ progress: AnalyticsProgress) throws(StorageError) {
        try writeSums()
        try stored { () throws(SQLiteError) in
            try setProgress(progress)
            try transaction.commit.run()
        }
    }

    /// Makes the tables in an empty file.
    package static func makeTables(in connection: Connection) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            try connection.execute(SchemaFiles.analyticsSchema)
            try connection.execute(SchemaFiles.analyticsViews)
            let name = try Statement(connection, SchemaFiles.analyticsInsertCodeName)
            for code in AnalyticsCode.names {
                name.bind(code.kind, at: 1)
                name.bind(code.code, at: 2)
                name.bind(code.name, at: 3)
                try name.run()
            }
        }
    }

    /// Puts a session's rows in the place of those that it had.
    ///
    /// - Parameter earlier: what its rows said; nil where it has none.
    package func replace(
        _ earlier: SessionFacts?, with facts: SessionFacts, number: Int64, session: SessionID
    ) throws(StorageError) {
        if let earlier, earlier.started != nil {
            try stored { () throws(SQLiteError) in
                for statement in statements.deletions {
                    statement.bind(number, at: 1)
                    try statement.run()
                }
            }
            sums.add(earlier, sign: -1)
        }
        rows.removeAll()
        rows.add(facts, number: number, session: session)
        try insert(rows)
        sums.add(facts, sign: 1)
    }

    /// Adds the rows of sessions that have none; their sums are added apart.
    private func insert(_ rows: AnalyticsRows) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            for (statement, rows) in zip(statements.insertions, rows.all) { try statement.run(rows) }
        }
    }

    /// Takes in what others summed.
    package func add(_ sums: DailySums) { self.sums.add(sums) }

    /// Takes in requests that were counted apart.
    package func add(_ requests: RequestSums) { self.requests.add(requests) }

    /// Writes what was summed so far.
    private func writeSums() throws(StorageError) {
        try stored { () throws(SQLiteError) in
            try sums.write(sumStatements)
            try requests.write(addRequest)
        }
        sums.removeAll()
        requests.removeAll()
    }

    private func setProgress(_ progress: AnalyticsProgress) throws(SQLiteError) {
        statements.progress.bind(progress.schemaVersion, at: 1)
        statements.progress.bind(words: progress.ledgerID.high, progress.ledgerID.low, at: 2)
        statements.progress.bind(words: progress.epoch.high, progress.epoch.low, at: 3)
        statements.progress.bind(progress.position, at: 4)
        statements.progress.bind(progress.recordedAtMilliseconds, at: 5)
        statements.progress.bind(progress.attemptNumber, at: 6)
        try statements.progress.run()
    }

    /// Takes in rows of the delivery log.
    ///
    /// - Parameter rows: of `attempts_after`, with its bounds bound.
    package func insertAttempts(_ rows: Statement) throws(StorageError) {
        let attempts = AttemptRows()
        try attempts.read(rows) { (page) throws(SQLiteError) in try statements.attempt.run(page) }
        add(attempts.requests)
    }
}
