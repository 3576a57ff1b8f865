import EventStorage
import SQLite
import SystemCalls

/// What a look at the ledger and its surroundings found.
package struct DoctorReport: Sendable, Equatable {
    package struct Finding: Sendable, Equatable {
        package enum Severity: String, Sendable {
            /// Good to know; nothing to do.
            case note
            case warning
            /// Something is lost, or will be.
            case error
        }

        /// An open set.
        package let code: String
        package let severity: Severity
        package let message: String
        package let remedy: String
        /// It was repaired just now.
        package let fixed: Bool
    }

    package let sqliteVersion: String
    package let schemaVersion: Int
    package let lastPosition: Int64
    package let freeBytes: Int64
    package let logBytes: Int64
    package internal(set) var findings: [Finding]

    /// Nothing is left for a person to do.
    package var isHealthy: Bool { findings.allSatisfy { $0.fixed || $0.severity == .note } }
}

extension Ledger {
    /// Looks at the database, the sealed files and what the ledger needs outside itself. It reads everything once and changes
    /// nothing unless asked to.
    ///
    /// - Parameter fix: repairs what is safe to repair: it finishes erasures, collects files that no event names (never one of a
    ///   capture in flight), destroys files that an event says are destroyed, shortens the log, brings analytics.sqlite up to it. Nothing is repaired in a ledger whose
    ///   database is damaged.
    /// - Throws: `read_only` when asked to repair a ledger that was opened for reading.
    package func doctor(fix: Bool) throws(LedgerError) -> DoctorReport {
        if fix { _ = try writer }
        let examination = Examination(self, fixes: fix)
        examination.lookAtDatabase()
        examination.lookAtFiles()
        examination.lookAtStanding()
        examination.lookAtAnalytics()
        examination.lookAtSurroundings()
        examination.lookAtChecks()
        let (schema, position) = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                (try Migrator.schema(of: context.connection).version, try context.events.lastPosition())
            }
        }
        let (free, log) = try called { () throws(SystemError) in
            (try FileSystem.freeBytes(at: files.folder), try FileStatus.of(files.log)?.size ?? 0)
        }
        return DoctorReport(
            sqliteVersion: Connection.libraryVersion, schemaVersion: schema, lastPosition: position, freeBytes: free,
            logBytes: log, findings: examination.findings)
    }
}
