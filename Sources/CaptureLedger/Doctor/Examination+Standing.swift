import DeliveryMachine
import EventStorage
import Outbox
import SQLite
import SchemaFiles
import SessionDomain
import SystemCalls

extension Examination {
    private static let dayMilliseconds: Int64 = 86_400_000
    /// Events that are in no backup for longer are a risk that somebody should know of.
    private static let backupDays: Int64 = 7

    /// Whether the log stands where others remember it: a ledger that was put back by hand, and not by a restore, stands behind them.
    func lookAtStanding() {
        look(lookAtReaders)
        look(lookAtCheckpoints)
        look(lookAtReturned)
        look(lookAtBackups)
        look(lookAtWorkers)
        look(lookAtAnchor)
    }

    private func lookAtReaders() throws(LedgerError) {
        let names: [String]
        do throws(SystemError) { names = try FileDescriptor(opening: files.followers, .folder).names() } catch {
            if error.code == .notFound { return }
            throw LedgerError(error)
        }
        let last = try ledger.lastPosition()
        for name in names.sorted() where name.hasSuffix(".cursor") {
            let reader = String(name.dropLast(".cursor".utf8.count))
            guard let line = try SmallFile(folder: files.followers, name: name).read(),
                let mark = FollowerCursor.Mark(line)
            else {
                add(
                    "follower_damaged", .warning, "The file that says how far the reader \(reader) has come is damaged.",
                    remedy: "Remove followers/\(name): that reader begins with the first event then.")
                continue
            }
            if mark.epoch == ledger.epoch, mark.position > last {
                add(
                    "follower_ahead", .error,
                    "The reader \(reader) has come to position \(mark.position), and the log ends at \(last): an older copy was put in its place.",
                    remedy:
                        "Make the ledger with `restore` from that copy's backup, which marks the place; or remove followers/\(name) to have everything read again."
                )
            } else if mark.epoch != ledger.epoch {
                add(
                    "follower_restored", .note, "The reader \(reader) stopped before the ledger was restored.",
                    remedy: "Nothing: it reads again what came behind the backup when it goes on.")
            }
        }
    }

    private func lookAtCheckpoints() throws(LedgerError) {
        let (signed, last) = try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                (try context.single(SchemaFiles.largestCheckpoint), try context.events.lastPosition())
            }
        }
        if signed <= last { return }
        add(
            "checkpoint_ahead", .error, "A checkpoint was signed over \(signed) events, and the log ends at \(last).",
            remedy: "Events were cut off: copy the folder elsewhere, run `audit verify`, and restore the last good backup.")
    }

    /// Somebody who is remembered as erased and is not: the ledger is an older copy that no restore went over.
    private func lookAtReturned() throws(LedgerError) {
        guard let path = ledger.settings.tombstonePath(in: files.folder),
            let entries = try? Tombstones.read(path), !entries.isEmpty
        else { return }
        let returned = try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let gone = Set(try context.events.erasures().map(\.session))
                var returned: [SessionID] = []
                for entry in entries where !gone.contains(entry.session) {
                    guard let row = try context.events.session(entry.session), row.keyNumber == entry.keyNumber else {
                        continue
                    }
                    returned.append(entry.session)
                }
                return returned
            }
        }
        if returned.isEmpty { return }
        var done = 0
        if fixes {
            for session in returned
            where try ledger.erase(session, CommandOptions(), remembering: false, onlyIfDue: false) != nil {
                done += 1
            }
        }
        add(
            "erased_returned", .error,
            "\(returned.count) sessions are here although the tombstone file says that they were erased.",
            remedy: "\(Self.runWithFix) It erases them again. Bring backups back with `restore` only.",
            fixed: done == returned.count)
    }

    private func lookAtBackups() throws(LedgerError) {
        let known = try LastBackup.read(of: ledger)
        let covered = known?.position ?? 0
        let oldest: Int64? = try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try context.events.events(after: covered, limit: 1).first?.recordedAtMilliseconds
            }
        }
        guard let oldest else { return }
        let days = (ledger.clock.nowMilliseconds() - oldest) / Self.dayMilliseconds
        if days < Self.backupDays { return }
        let remedy = "Run `capture-ledger backup FILE`, and have cron do it; docs/operations.md shows how."
        if known == nil {
            add(
                "backup_never", .warning, "No backup was made of this ledger, whose first event is \(days) days old.",
                remedy: remedy)
        } else {
            add("backup_old", .warning, "The oldest event that is in no backup is \(days) days old.", remedy: remedy)
        }
    }

    /// Files of workers that ended without taking them away, as after `kill -9`.
    private func lookAtWorkers() throws(LedgerError) {
        let locks = try ledger.workerLocks
        let (isRunning, holders) = try called { () throws(SystemError) in (try locks.areHeld(), try locks.holders()) }
        if isRunning || holders.isEmpty { return }
        var buried = 0
        if fixes {
            let hold = try called { () throws(SystemError) in try ledger.lock.acquire() }
            for holder in holders where try called({ () throws(SystemError) in try locks.bury(holder) }) { buried += 1 }
            _ = consume hold
        }
        add(
            "worker_left", .note, "\(holders.count) workers ended without taking their lock files away.",
            remedy: "Nothing: the next run takes over what they had claimed.", fixed: buried == holders.count)
    }

    private func lookAtAnchor() throws(LedgerError) {
        guard let boot = ledger.clock.boot() else { return }
        let (anchor, jumps) = try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let row = try stored { () throws(SQLiteError) in
                    try ClockAnchor.read(try Statement(context.connection, SchemaFiles.findClockAnchor))
                }
                return (row, try ClockJumps(context.connection).total(after: 0))
            }
        }
        guard let anchor else { return }
        if anchor.jumpsMilliseconds != jumps {
            add(
                "clock_anchor_wrong", .warning,
                "What is known of the clock says that it jumped by \(anchor.jumpsMilliseconds) ms in all, and the log says \(jumps) ms.",
                remedy:
                    "Keep the clock set (timedatectl) and report it with this output; deadlines may be off by the difference.")
        }
        let jump = anchor.jump(
            bootID: boot.id, boottimeMilliseconds: boot.elapsedMilliseconds, wallMilliseconds: ledger.clock.nowMilliseconds())
        if jump != 0 {
            add(
                "clock_jumped", .note, "The clock jumped by \(jump / 1_000) s since the last command.",
                remedy: "Nothing, if it is right now (timedatectl): the next command records it and moves deadlines along.")
        }
    }
}
