import CSQLite

/// A write transaction: rolled back unless it is consumed by `commit`.
package struct Transaction: ~Copyable {
    private let connection: Connection

    /// Takes SQLite's write lock at once, so that no read is ever upgraded to a write.
    package init(_ connection: Connection) throws(SQLiteError) {
        try connection.execute("BEGIN IMMEDIATE")
        self.connection = connection
    }

    /// Durable when it returns. A commit that failed is never repeated: the transaction is rolled back.
    package consuming func commit() throws(SQLiteError) { try connection.execute("COMMIT") }

    deinit {
        guard connection.isInTransaction else { return }
        try? connection.execute("ROLLBACK")
    }
}

/// A read transaction: everything read inside comes from one moment.
package struct Snapshot: ~Copyable {
    private let connection: Connection

    package init(_ connection: Connection) throws(SQLiteError) {
        try connection.execute("BEGIN")
        self.connection = connection
    }

    deinit { try? connection.execute("ROLLBACK") }
}
