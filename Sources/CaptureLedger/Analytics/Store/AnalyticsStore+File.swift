import EventStorage
import Projections
import SQLite
import SchemaFiles
import SystemCalls

extension AnalyticsStore {
    /// What the file says of itself, where it is one of this ledger.
    func known(_ log: LogEnd) throws(AnalyticsFault) -> AnalyticsProgress {
        let connection = try open(place.file)
        let (application, found) = try analytics { () throws(StorageError) in
            let application: Int64 = try stored { () throws(SQLiteError) in
                let row = try Statement(connection, SchemaFiles.readApplicationId)
                return try row.step() ? row.int64(0) : 0
            }
            return (application, application == Self.applicationID ? try AnalyticsProgress(connection) : nil)
        }
        guard application == Self.applicationID else { throw .unusable(.foreign) }
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
        return try analytics { () throws(StorageError) in
            try stored { () throws(SQLiteError) in
                let connection = try Connection(path: path, mode: .write)
                connection.setBusyTimeout(milliseconds: patienceMilliseconds)
                try connection.execute(SchemaFiles.analyticsConfigureWriter)
                return connection
            }
        }
    }
}
