import EventStorage
import SQLite
import SystemCalls

extension Examination {
    /// In 3.51.3 SQLite stopped losing pages when a checkpoint meets a log that another connection resets.
    private static let safeVersion = 3_051_003
    /// Beyond this the log slows readers down and the writer has not managed to move it.
    static let longLog: Int64 = 64 << 20

    func lookAtDatabase() {
        if Connection.libraryVersionNumber < Self.safeVersion {
            add(
                "sqlite_wal_reset", .note,
                "SQLite \(Connection.libraryVersion) has the WAL-reset bug; this product's writer lock keeps clear of it.",
                remedy: "Let no other program write or checkpoint ledger.sqlite; 3.51.3 and newer are free of it.")
        }
        check("ledger.sqlite", files.database, "database_damaged")
        check("keys.sqlite", files.keys + "/keys.sqlite", "keys_damaged")
        look { () throws(LedgerError) in
            let pending = try Ledger.pendingMigrations(files)
            if !pending.isEmpty {
                add(
                    "needs_migration", .warning, "The schema is older than this version's: \(pending.joined(separator: ", ")).",
                    remedy: "Make a backup, then run `capture-ledger migrate`.")
            }
        }
        look(lookAtLog)
        look(lookAtClock)
    }

    private func check(_ name: String, _ path: String, _ code: String) {
        do throws(LedgerError) {
            let complaints = try translated { () throws(StorageError) in
                let connection = try stored { () throws(SQLiteError) in
                    try Connection(path: path, mode: FileSystem.isWritable(files.folder) ? .read : .immutable)
                }
                return try DatabaseCheck.complaints(connection)
            }
            guard let first = complaints.first else { return }
            fixes = false
            add(
                code, .error, "\(name) is damaged: \(first)",
                remedy: "Stop writing, keep a copy of the folder, and restore the last good backup.")
        } catch {
            fixes = false
            add(code, .error, "\(name) cannot be checked. \(error.message)", remedy: error.remedy)
        }
    }

    private func lookAtLog() throws(LedgerError) {
        let size = try called { () throws(SystemError) in try FileStatus.of(files.log) }?.size ?? 0
        guard size > Self.longLog else { return }
        var isFixed = false
        if fixes {
            let hold = try called { () throws(SystemError) in try ledger.lock.acquire() }
            isFixed = try translated { () throws(StorageError) in
                let connection = try EventDatabase.openForWriting(files.database)
                connection.setBusyTimeout(milliseconds: 1000)
                return try stored { () throws(SQLiteError) in try !connection.checkpoint(.truncate).wasBlocked }
            }
            _ = consume hold
        }
        add(
            "log_long", .warning, "The write-ahead log holds \(size >> 20) MiB.",
            remedy: "\(Self.runWithFix) If it comes back, look for a program that keeps ledger.sqlite open for reading.",
            fixed: isFixed)
    }

    private func lookAtClock() throws(LedgerError) {
        guard try ledger.clockBehindMilliseconds() != nil else { return }
        add(
            "clock_behind", .warning, "The clock stands before the newest event, or before 2020.",
            remedy: "Set the clock (timedatectl); until it catches up, new events repeat the newest event's time.")
    }
}

extension Ledger {
    /// What runs on must be younger than the product; 2020-01-01.
    private static let earliestMilliseconds: Int64 = 1_577_836_800_000

    /// By how much the wall clock stands behind the newest event, or behind 2020; nil where it does not, a second aside.
    package func clockBehindMilliseconds() throws(LedgerError) -> Int64? {
        let last: Int64 = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let position = try context.events.lastPosition()
                return try context.events.events(after: position - 1, limit: 1).last?.recordedAtMilliseconds ?? 0
            }
        }
        let behind = max(last - 1000, Self.earliestMilliseconds) - clock.nowMilliseconds()
        return behind > 0 ? behind : nil
    }
}
