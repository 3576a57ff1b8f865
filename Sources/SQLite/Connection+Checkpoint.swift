import CSQLite

/// How far a checkpoint goes; https://sqlite.org/c3ref/wal_checkpoint_v2.html.
package enum Checkpoint: Sendable {
    case passive, restart, truncate
}

package struct CheckpointResult: Sendable {
    /// Pages in the log, and how many of them are in the database by now.
    package let logPages: Int
    package let movedPages: Int
    /// A reader or writer kept it from finishing.
    package let wasBlocked: Bool
}

extension Connection {
    /// Only under the ledger's writer lock: a checkpoint that races another connection's reset of the log can lose pages in
    /// SQLite before 3.51.3 (https://sqlite.org/wal.html, "the WAL-reset bug").
    @discardableResult
    package func checkpoint(_ kind: Checkpoint) throws(SQLiteError) -> CheckpointResult {
        var log: Int32 = 0
        var moved: Int32 = 0
        let mode: Int32 =
            switch kind {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &log, &moved)
        if code != SQLITE_OK && code & 0xFF != SQLITE_BUSY { throw error(code) }
        return CheckpointResult(logPages: Int(log), movedPages: Int(moved), wasBlocked: code & 0xFF == SQLITE_BUSY)
    }

    /// Copies this database into a fresh file while others go on writing; https://sqlite.org/backup.html.
    package func copy(to path: String) throws(SQLiteError) {
        let target = try Connection(path: path, mode: .create)
        guard let backup = unsafe sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw target.error(SQLITE_ERROR)
        }
        let code = unsafe sqlite3_backup_step(backup, -1)
        let finished = unsafe sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, finished == SQLITE_OK else { throw target.error(finished == SQLITE_OK ? code : finished) }
    }
}

extension Connection {
    /// How long a step waits for another connection's lock before it answers `SQLITE_BUSY`.
    package func setBusyTimeout(milliseconds: Int) { unsafe _ = sqlite3_busy_timeout(handle, Int32(milliseconds)) }
}
