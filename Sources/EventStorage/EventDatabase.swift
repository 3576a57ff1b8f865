package import SQLite
import SchemaFiles
package import SessionDomain

/// Making and opening `ledger.sqlite`.
package enum EventDatabase {
    package struct Identity: Sendable, Equatable {
        package let ledgerID: UUID128
        /// Changes when the ledger is restored from a backup.
        package let epoch: UUID128
        package let createdAtMilliseconds: Int64
    }

    /// Makes a new database with the whole schema and the ledger's own stream. The caller holds the writer lock.
    package static func create(
        at path: String, ledgerID: UUID128, epoch: UUID128, codeNames: [(kind: String, code: Int, name: String)],
        nowMilliseconds: Int64
    ) throws(StorageError) -> Connection {
        let connection = try stored { () throws(SQLiteError) in
            let connection = try Connection(path: path, mode: .create)
            try connection.execute(SchemaFiles.configureNewDatabase)
            try connection.execute(SchemaFiles.configureWriter)
            return connection
        }
        try Migrator.apply(to: connection, codeNames: codeNames, nowMilliseconds: nowMilliseconds)
        try stored { () throws(SQLiteError) in
            let transaction = try Transaction(connection)
            let ledger = try Statement(connection, SchemaFiles.insertLedger)
            ledger.bind(ledgerID.bytes, at: 1)
            ledger.bind(epoch.bytes, at: 2)
            ledger.bind(nowMilliseconds, at: 3)
            try ledger.run()
            let stream = try Statement(connection, SchemaFiles.insertSession)
            stream.bind(0, at: 1)
            stream.bind(ledgerID.bytes, at: 2)
            stream.bindNull(at: 3)
            try stream.run()
            try transaction.commit()
        }
        return connection
    }

    /// Keeps the names of the codes this build writes beside the events, for people with other tools.
    static func name(_ codes: [(kind: String, code: Int, name: String)], in connection: Connection) throws(SQLiteError) {
        let insert = try Statement(connection, SchemaFiles.insertCodeName)
        for code in codes {
            insert.bind(code.kind, at: 1)
            insert.bind(code.code, at: 2)
            insert.bind(code.name, at: 3)
            try insert.run()
        }
    }

    /// Opens for writing, without creating or migrating anything.
    package static func openForWriting(_ path: String) throws(StorageError) -> Connection {
        let connection = try stored { () throws(SQLiteError) in
            let connection = try Connection(path: path, mode: .write)
            try connection.execute(SchemaFiles.configureWriter)
            return connection
        }
        try check(connection, writing: true)
        return connection
    }

    package static func openForReading(_ path: String, mode: Connection.Mode = .read) throws(StorageError) -> Connection {
        let connection = try stored { () throws(SQLiteError) in
            let connection = try Connection(path: path, mode: mode)
            try connection.execute(SchemaFiles.configureReader)
            return connection
        }
        try check(connection, writing: false)
        return connection
    }

    private static func check(_ connection: Connection, writing: Bool) throws(StorageError) {
        let applicationID: Int64 = try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.readApplicationId)
            return try statement.step() ? statement.int64(0) : 0
        }
        let schema = try Migrator.schema(of: connection)
        guard applicationID == 0x434C_4447, schema.version > 0 else {
            throw StorageError(
                .notALedger, message: "The file ledger.sqlite in this folder is not a ledger's database.",
                remedy: "Give the ledger's folder with --ledger, or make one with `init`.")
        }
        try Migrator.check(schema, writing: writing)
    }

    package static func identity(_ connection: Connection) throws(StorageError) -> Identity {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.readLedger)
            guard try statement.step(), let ledger = statement.words(0), let epoch = statement.words(1) else {
                throw SQLiteError(code: 26, extendedCode: 26, message: "the ledger's identity row is missing")
            }
            return Identity(
                ledgerID: UUID128(high: ledger.0, low: ledger.1), epoch: UUID128(high: epoch.0, low: epoch.1),
                createdAtMilliseconds: statement.int64(2))
        }
    }
}
