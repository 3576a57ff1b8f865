import Cryptography
package import SQLite
package import SchemaFiles

/// Brings a database's schema forward, one frozen file after another, and never back.
package enum Migrator {
    /// What a database says about itself.
    package struct Schema: Sendable, Equatable {
        /// The newest migration applied; 0 for an empty file.
        package var version: Int
        /// The oldest schema version whose code may read, and write, this database.
        package var reader: Int
        package var writer: Int
    }

    /// The schema version that this build writes.
    package static var current: Int { SchemaFiles.migrations.last?.version ?? 0 }

    /// - Throws: `not_a_ledger`, `changed_migration` when a migration's text is not the one that was applied.
    package static func schema(of connection: Connection) throws(StorageError) -> Schema {
        let applied = try stored { () throws(SQLiteError) in try rows(of: connection) }
        var schema = Schema(version: 0, reader: 0, writer: 0)
        for row in applied {
            schema.version = max(schema.version, row.version)
            schema.reader = max(schema.reader, row.reader)
            schema.writer = max(schema.writer, row.writer)
            if let known = SchemaFiles.migrations.first(where: { $0.version == row.version }),
                SHA256.digest(of: known.sql).bytes != row.digest
            {
                throw StorageError(
                    .changedMigration, message: "Migration \(row.name) of this ledger is not the one this version carries.",
                    remedy: "Use the version that made this ledger; a migration's text never changes.")
            }
        }
        return schema
    }

    /// Refuses what this build is too old for, by both version numbers.
    package static func check(_ schema: Schema, writing: Bool) throws(StorageError) {
        let needed = writing ? max(schema.writer, schema.reader) : schema.reader
        guard needed > current else { return }
        throw StorageError(
            .newerSchema,
            message: "This ledger has schema \(schema.version), which needs \(needed) or newer to be "
                + "\(writing ? "written" : "read"); this version knows \(current).",
            remedy: "Install the newer version; nothing was changed.")
    }

    /// The migrations that `apply` would run.
    package static func pending(_ schema: Schema) -> [SchemaFiles.Migration] {
        SchemaFiles.migrations.filter { $0.version > schema.version }
    }

    /// Runs what is pending in one transaction. The caller holds the writer lock.
    ///
    /// - Parameter codeNames: of the codes that this build writes; new ones are kept beside the events.
    package static func apply(
        to connection: Connection, codeNames: [(kind: String, code: Int, name: String)] = [], nowMilliseconds: Int64
    ) throws(StorageError) {
        let schema = try schema(of: connection)
        try check(schema, writing: true)
        let pending = pending(schema)
        guard !pending.isEmpty else { return }
        try stored { () throws(SQLiteError) in
            let transaction = try Transaction(connection)
            try connection.execute(SchemaFiles.createMigrationTable)
            for migration in pending {
                try connection.execute(migration.sql)
                let ages = compatibility(of: migration)
                let insert = try Statement(connection, SchemaFiles.insertMigration)
                insert.bind(migration.version, at: 1)
                insert.bind(migration.name, at: 2)
                insert.bind(SHA256.digest(of: migration.sql).bytes, at: 3)
                insert.bind(ages.reader, at: 4)
                insert.bind(ages.writer, at: 5)
                insert.bind(nowMilliseconds, at: 6)
                try insert.run()
            }
            try EventDatabase.name(codeNames, in: connection)
            try transaction.commit()
        }
    }

    /// Reads `-- reader 1, writer 1` at the head of a migration; without it the migration shuts out everything older.
    package static func compatibility(of migration: SchemaFiles.Migration) -> (reader: Int, writer: Int) {
        let head = String(decoding: migration.sql.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        var numbers: [Int] = []
        var digits = ""
        for character in head + " " {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else if !digits.isEmpty {
                numbers.append(Int(digits) ?? migration.version)
                digits = ""
            }
        }
        guard head.hasPrefix("-- reader "), numbers.count >= 2 else { return (migration.version, migration.version) }
        return (numbers[0], numbers[1])
    }

    /// The migrations that this build carries whose rows do not say what it would have written, by name. When they were applied is
    /// nobody's promise.
    package static func alteredRows(of connection: Connection) throws(StorageError) -> [String] {
        let applied = try stored { () throws(SQLiteError) in try rows(of: connection) }
        return SchemaFiles.migrations.filter { known in
            guard let row = applied.first(where: { $0.version == known.version }) else { return false }
            return (row.reader, row.writer) != compatibility(of: known) || row.name != known.name
        }.map(\.name)
    }

    private struct Row {
        let version: Int
        let name: String
        let digest: [UInt8]
        let reader: Int
        let writer: Int
    }

    private static func rows(of connection: Connection) throws(SQLiteError) -> [Row] {
        let probe = try Statement(connection, SchemaFiles.hasMigrationTable)
        guard try probe.step(), probe.int64(0) == 1 else { return [] }
        probe.reset()
        let list = try Statement(connection, SchemaFiles.listMigrations)
        var rows: [Row] = []
        while try list.step() {
            rows.append(
                Row(version: list.int(0), name: list.text(1), digest: list.blob(2), reader: list.int(3), writer: list.int(4)))
        }
        return rows
    }
}
