import SQLite
import SchemaFiles

/// The statements of the append path, prepared once a connection.
struct WriterStatements {
    let begin: Statement
    let commit: Statement
    let rollback: Statement
    let lastCommit: Statement
    let appendCommit: Statement
    let appendEvent: Statement
    let insertSession: Statement
    let lastSession: Statement
    let lastKey: Statement
    let insertReceipt: Statement
    let findReceipt: Statement
    let insertConfiguration: Statement
    let insertLookup: Statement
}

extension WriterStatements {
    init(_ connection: Connection) throws(SQLiteError) {
        self.init(
            begin: try Statement(connection, "BEGIN IMMEDIATE"),
            commit: try Statement(connection, "COMMIT"),
            rollback: try Statement(connection, "ROLLBACK"),
            lastCommit: try Statement(connection, SchemaFiles.lastCommit),
            appendCommit: try Statement(connection, SchemaFiles.appendCommit),
            appendEvent: try Statement(connection, SchemaFiles.appendEvent),
            insertSession: try Statement(connection, SchemaFiles.insertSession),
            lastSession: try Statement(connection, SchemaFiles.lastSession),
            lastKey: try Statement(connection, SchemaFiles.lastKey),
            insertReceipt: try Statement(connection, SchemaFiles.insertReceipt),
            findReceipt: try Statement(connection, SchemaFiles.findReceipt),
            insertConfiguration: try Statement(connection, SchemaFiles.insertConfiguration),
            insertLookup: try Statement(connection, SchemaFiles.insertLookup))
    }
}
