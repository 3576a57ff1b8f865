import EventStorage
import SQLite
import SchemaFiles
package import SessionDomain
import SystemCalls

/// What an export holds.
package struct ExportReport: Sendable, Equatable {
    package let path: String
    package let ledgerID: UUID128
    /// The last event in it.
    package let position: Int64
    package let rows: Int64
    package let bytes: Int64
}

extension Ledger {
    /// Writes the log, with everything beside it that no other row says, as lines of JSON: ids, times, positions, commits, receipts, sealed
    /// halves and wrapped keys as they are stored, so that chain, proofs and repeated commands stay the same where it is imported. Sealed
    /// media and answers are not in it. Others go on writing; the file is of one moment, and gets its name when it was read again.
    ///
    /// - Throws: `file_exists`, `no_such_folder`, `ledger_damaged`, and what the disk refuses. No file is left then.
    package func export(to path: String) throws(LedgerError) -> ExportReport {
        let target = try BackupFiles(path)
        try copyDatabases(target)
        let (copy, keys) = try translated { () throws(StorageError) in
            (
                try EventDatabase.openForReading(target.database, mode: .immutable),
                try stored { () throws(SQLiteError) in try Connection(path: target.keys, mode: .immutable) }
            )
        }
        if let problem = try translated({ () throws(StorageError) in try DatabaseCheck.logProblem(copy) }) {
            throw .damagedLog(problem)
        }
        let subject = try BackupSubject(copy)
        let settings = try called { () throws(SystemError) in
            try FileDescriptor(opening: files.settings, .read, followLinks: true).readToEnd(limit: 1 << 20)
        }
        let header = RowHeader(
            ledgerID: subject.identity.ledgerID, createdAtMilliseconds: subject.identity.createdAtMilliseconds,
            schema: subject.schema, settings: String(decoding: settings, as: UTF8.self), after: .beginning,
            through: subject.through)
        let lastKey = try translated { () throws(StorageError) in
            try stored { () throws(SQLiteError) in
                let statement = try Statement(copy, SchemaFiles.lastKey)
                return try statement.step() ? statement.int64(0) : 0
            }
        }
        let writer = RowWriter(try target.make(target.part), header)
        for table in RowTable.all {
            try writer.write(table, of: table.isInKeys ? keys : copy, table.isInKeys ? lastKey : 0)
        }
        try writer.finish()
        let written = try RowReader(try called { () throws(SystemError) in try FileDescriptor(opening: target.part, .read) })
        try written.forEachRow { (_, _) in }
        try target.place()
        return ExportReport(
            path: path, ledgerID: subject.identity.ledgerID, position: subject.through.position, rows: writer.rows,
            bytes: writer.bytes)
    }
}
