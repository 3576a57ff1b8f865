import EventStorage
import SQLite
import SchemaFiles
import SystemCalls
import Vault

/// Where an increment begins.
package enum BackupBase: Sendable, Equatable {
    /// Behind what an earlier backup, whole or an increment, holds.
    case backup(String)
    /// Behind a position at which a transaction ended.
    case position(Int64)
}

extension Ledger {
    /// Writes what came behind an earlier backup: the rows that are new or may have changed since, the keys, and the sealed files of the
    /// new ones. It goes on from the chain value at which the base ended, so that a restore takes it in its place and nowhere else.
    ///
    /// - Throws: as `backup(to:)`; `backup_foreign` when this log does not contain the base, `no_such_position`, `not_a_commit`.
    package func backup(to path: String, since base: BackupBase) throws(LedgerError) -> BackupReport {
        let after = try place(of: base)
        let target = try BackupFiles(path)
        let (subject, lastAttempt) = try writeRows(target, after: after)
        // After the rows: a key that they name is there by then.
        _ = try target.make(target.keys)
        try translated { () throws(StorageError) in
            try stored { () throws(SQLiteError) in
                try Connection(path: files.keys + "/keys.sqlite", mode: .read).copy(to: target.keys)
            }
        }
        let span = BackupContent.Span(
            after: after.position, through: subject.through.position, lastAttempt: lastAttempt)
        return try read { (context) throws(LedgerError) in
            let content = try translated { () throws(StorageError) in try BackupContent(context.connection, span) }
            return try archive(target, subject, .rows, from: target.rows, content)
        }
    }

    /// All rows come from one moment.
    private func writeRows(
        _ target: BackupFiles, after: RowHeader.Place
    ) throws(LedgerError) -> (BackupSubject, lastAttempt: Int64) {
        try read { (context) throws(LedgerError) in
            let snapshot = try translated { () throws(StorageError) in
                try stored { () throws(SQLiteError) in try Snapshot(context.connection) }
            }
            var subject = try BackupSubject(context.connection)
            subject.after = after
            let header = RowHeader(
                ledgerID: subject.identity.ledgerID, createdAtMilliseconds: subject.identity.createdAtMilliseconds,
                schema: subject.schema, settings: nil, after: after, through: subject.through)
            let writer = RowWriter(try target.make(target.rows), header)
            for table in RowTable.all.dropFirst(RowTable.keyCount) {
                try writer.write(table, of: context.connection, after.position)
            }
            try writer.finish()
            let last = try translated { () throws(StorageError) in try context.single(SchemaFiles.newestAttempt) }
            _ = consume snapshot
            return (subject, last)
        }
    }

    private func place(of base: BackupBase) throws(LedgerError) -> RowHeader.Place {
        switch base {
        case .position(let position):
            guard let chain = try chain(at: position) else { throw try noCommit(at: position) }
            return RowHeader.Place(position: position, chain: chain)
        case .backup(let path):
            guard try called({ () throws(SystemError) in try FileStatus.of(path) }) != nil else {
                throw LedgerError(
                    code: .init(rawValue: "no_such_file"), message: "There is no file \(path).", remedy: "Check the path.")
            }
            let manifest = try BackupManifest.of(path)
            guard manifest.ledgerID == ledgerID else { throw .foreignBackup("the earlier one is of another ledger") }
            guard try chain(at: manifest.position) == manifest.chain, manifest.position > 0 else {
                throw .foreignBackup(
                    "this ledger's log is another one at position \(manifest.position), where the earlier one ended")
            }
            return RowHeader.Place(position: manifest.position, chain: manifest.chain)
        }
    }

    private func chain(at position: Int64) throws(LedgerError) -> String? {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try stored { () throws(SQLiteError) in
                    let statement = try Statement(context.connection, SchemaFiles.commitAt)
                    statement.bind(position, at: 1)
                    return try statement.step() ? Hex.text(statement.blob(0)) : nil
                }
            }
        }
    }

    private func noCommit(at position: Int64) throws(LedgerError) -> LedgerError {
        let around = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try stored { () throws(SQLiteError) -> (first: Int64, last: Int64)? in
                    let statement = try Statement(context.connection, SchemaFiles.commitAround)
                    statement.bind(position, at: 1)
                    return try statement.step() ? (statement.int64(0), statement.int64(1)) : nil
                }
            }
        }
        guard let around else {
            return LedgerError(
                code: .init(rawValue: "no_such_position"), message: "The ledger has not come to position \(position).",
                remedy: "Name the position at which the earlier backup ended; it says so.")
        }
        return LedgerError(
            code: .init(rawValue: "not_a_commit"),
            message: "Position \(position) is inside of a transaction, which reaches from \(around.first) to \(around.last).",
            remedy: "Name \(around.last) or \(around.first - 1), or the earlier backup with --since.")
    }
}

extension ReadContext {
    func single(_ sql: [UInt8]) throws(StorageError) -> Int64 {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, sql)
            return try statement.step() ? statement.int64(0) : 0
        }
    }
}
