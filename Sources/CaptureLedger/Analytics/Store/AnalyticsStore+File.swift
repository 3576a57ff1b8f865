import EventStorage
import Projections
import SQLite
import SchemaFiles
import SystemCalls

extension AnalyticsStore {
    /// What the file says of itself, where it is one of this ledger.
    func known(_ log: LogEnd) throws(AnalyticsFault) -> AnalyticsProgress {
        try Self.progress(try open(place.file), of: ledger, log)
    }

    /// What an open file says of itself, where it is one of this ledger.
    static func progress(
        _ connection: Connection, of ledger: Ledger, _ log: LogEnd
    ) throws(AnalyticsFault) -> AnalyticsProgress {
        let (application, found) = try analytics { () throws(StorageError) in
            let application: Int64 = try stored { () throws(SQLiteError) in
                let row = try Statement(connection, SchemaFiles.readApplicationId)
                return try row.step() ? row.int64(0) : 0
            }
            return (application, application == applicationID ? try AnalyticsProgress(connection) : nil)
        }
        guard application == applicationID else { throw .unusable(.foreign) }
        guard let found else { throw .unusable(.damaged) }
        guard found.schemaVersion == AnalyticsWriter.schemaVersion else { throw .unusable(.otherSchema) }
        guard found.ledgerID == ledger.ledgerID else { throw .unusable(.otherLedger) }
        guard found.epoch == ledger.epoch else { throw .unusable(.restored) }
        guard found.position <= log.position, found.attemptNumber <= log.attempt else { throw .unusable(.ahead) }
        let time = try ledgerStep { () throws(LedgerError) in
            try ledger.read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in try context.events.time(of: found.position) }
            }
        }
        guard found.recordedAtMilliseconds == time else { throw .unusable(.ahead) }
        return found
    }

    /// "CLAN", in the file's header.
    private static let applicationID: Int64 = 0x434C_414E

    /// Opens it to be changed; what a process left that died is put right by that.
    func open(_ path: String) throws(AnalyticsFault) -> Connection {
        try Self.checkBeginning(of: path)
        return try analytics { () throws(StorageError) in
            try stored { () throws(SQLiteError) in
                let connection = try Connection(path: path, mode: .write)
                connection.setBusyTimeout(milliseconds: patienceMilliseconds)
                try connection.execute(SchemaFiles.analyticsConfigureWriter)
                return connection
            }
        }
    }

    private static func checkBeginning(of path: String) throws(AnalyticsFault) {
        let (isThere, beginning) = try ledgerStep { () throws(LedgerError) in
            try called { () throws(SystemError) in
                guard let status = try FileStatus.of(path) else { return (false, [UInt8]()) }
                guard status.kind == .file else { return (true, []) }
                var bytes = [UInt8](repeating: 0, count: 16)
                var span = bytes.mutableSpan
                let count = try FileDescriptor(opening: path, .read, followLinks: true).read(into: &span, at: 0)
                return (true, Array(bytes.prefix(count)))
            }
        }
        guard isThere else { throw .unusable(.missing) }
        guard beginning == Array("SQLite format 3\0".utf8) else { throw .unusable(.foreign) }
    }

    /// Looks at it without changing anything.
    ///
    /// - Returns: what it says of itself, and SQLite's first complaint about it; nil for a file whose change was interrupted, which the next
    ///   one who opens it to be changed puts right.
    static func look(
        at path: String, of ledger: Ledger, _ log: LogEnd, isImmutable: Bool
    ) throws(AnalyticsFault) -> (progress: AnalyticsProgress, complaint: String?)? {
        try checkBeginning(of: path)
        let connection: Connection
        do throws(SQLiteError) {
            connection = try Connection(path: path, mode: isImmutable ? .immutable : .read)
            try connection.execute(SchemaFiles.analyticsConfigureReader)
            _ = try Statement(connection, SchemaFiles.readApplicationId).step()
        } catch {
            if error.isReadOnly { return nil }
            throw AnalyticsFault(StorageError(error))
        }
        let found = try progress(connection, of: ledger, log)
        return (found, try analytics { () throws(StorageError) in try DatabaseCheck.complaints(connection).first })
    }
}
