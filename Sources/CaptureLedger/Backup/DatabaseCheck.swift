import Audit
import EventStorage
import SQLite
import SchemaFiles

/// Whether a database file can be believed: SQLite's own check, and the chain over every event.
enum DatabaseCheck {
    /// SQLite's complaints; empty when there are none.
    static func complaints(_ connection: Connection) throws(StorageError) -> [String] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.quickCheck)
            var found: [String] = []
            while try statement.step() { found.append(statement.text(0)) }
            return found == ["ok"] ? [] : found
        }
    }

    /// The first thing that is wrong with the log, without a full stop; nil when it is as it was written.
    ///
    /// - Parameter checksEpoch: false for a copy that has another one and does not say so yet.
    static func logProblem(_ connection: Connection, checksEpoch: Bool = true) throws(StorageError) -> String? {
        if let first = try complaints(connection).first { return first }
        var options = AuditOptions()
        options.checksContent = false
        options.checksEpoch = checksEpoch
        let report = try LedgerVerifier(connection, files: nil, vault: nil, options: options).verify()
        guard var problem = report.problems.first?.message else { return nil }
        if problem.hasSuffix(".") { problem.removeLast() }
        return problem
    }

    /// Where the log ends: position, and the chain there in hex, empty without an event.
    static func head(_ connection: Connection) throws(StorageError) -> (position: Int64, chain: String) {
        try stored { () throws(SQLiteError) in
            let last = try Statement(connection, SchemaFiles.lastCommit)
            return try last.step() ? (last.int64(0), Hex.text(last.blob(2))) : (0, "")
        }
    }
}
