import EventStorage
import SQLite
import SchemaFiles
import SystemCalls

extension Ledger {
    /// Names of the migrations that this version would run, in order; empty when there is nothing to do.
    ///
    /// - Throws: `needs_newer_version` with both versions.
    package static func pendingMigrations(_ files: LedgerFiles, writing: Bool = false) throws(LedgerError) -> [String] {
        try translated { () throws(StorageError) in
            let connection = try EventDatabase.openForReading(files.database)
            let schema = try Migrator.schema(of: connection)
            if writing { try Migrator.check(schema, writing: true) }
            return Migrator.pending(schema).map(\.name)
        }
    }

    /// Brings the schema forward under the writer lock.
    package static func migrate(_ folder: String, nowMilliseconds: Int64) throws(LedgerError) -> [String] {
        let files = LedgerFiles(folder: folder)
        let names = try pendingMigrations(files)
        let access = try called { () throws(SystemError) in try FileAccess.matching(folder: folder) }
        let lock = WriterLock(turnPath: files.turn, writerPath: files.writer, access: access)
        if !names.isEmpty { try migrate(files, lock, nowMilliseconds: nowMilliseconds) }
        return names
    }

    static func migrate(_ files: LedgerFiles, _ lock: WriterLock, nowMilliseconds: Int64) throws(LedgerError) {
        let hold = try called { () throws(SystemError) in try lock.acquire() }
        try translated { () throws(StorageError) in
            let connection = try EventDatabase.openForWriting(files.database)
            try Migrator.apply(to: connection, codeNames: CodeNames.all, nowMilliseconds: nowMilliseconds)
        }
        _ = consume hold
    }
}
