import EventStorage
import SQLite
import SystemCalls
import Vault

/// Runs batches on the writer's queue: takes the cross-process lock, opens the one transaction, commits, checkpoints. It opens its
/// connection at the first batch, and anew after any failure.
final class WriterDesk: @unchecked Sendable {
    // Everything below is touched on the writer's queue alone.
    private let files: LedgerFiles
    private let lock: WriterLock
    private let vault: Vault
    private let clock: LedgerClock
    private var context: WriteContext?
    /// A reader was in the way when the log was to be emptied: every commit tries again.
    private var owesEmptyLog = false

    private var upkeep: LogUpkeep

    init(files: LedgerFiles, lock: WriterLock, vault: Vault, clock: LedgerClock, upkeep: LogUpkeep = LogUpkeep()) {
        self.files = files
        self.lock = lock
        self.vault = vault
        self.clock = clock
        self.upkeep = upkeep
    }

    func run(_ batch: [any WriteJob]) {
        var failure: LedgerError?
        do throws(LedgerError) { try transact(batch) } catch {
            failure = error
            context = nil
        }
        for job in batch { job.finish(failure) }
    }

    private func transact(_ batch: [any WriteJob]) throws(LedgerError) {
        let hold = try called { () throws(SystemError) in try lock.acquire() }
        let context = try open()
        try context.begin()
        do throws(LedgerError) {
            for job in batch { try job.run(context) }
            try context.commit()
        } catch {
            context.rollback()
            throw error
        }
        if context.emptiesLog || owesEmptyLog {
            owesEmptyLog = !emptyLog(context, waitingMilliseconds: context.emptiesLog ? 2_000 : 0)
            context.leftLogEmpty = !owesEmptyLog
        } else {
            keepLogShort(context)
        }
        _ = consume hold
    }

    private func open() throws(LedgerError) -> WriteContext {
        if let context { return context }
        let opened = try translated { () throws(StorageError) in
            let connection = try EventDatabase.openForWriting(files.database)
            connection.countLogPages()
            return try WriteContext(connection, vault: vault, clock: clock)
        }
        context = opened
        return opened
    }

    /// Under the writer lock, as every checkpoint. A checkpoint that fails costs nobody anything: the log holds what it did not move.
    private func keepLogShort(_ context: WriteContext) {
        switch upkeep.step(pages: context.connection.walPages) {
        case .nothing: break
        case .move: _ = try? context.connection.checkpoint(.passive)
        case .beginAnew(let limit): if !beginLogAnew(context, waitingMilliseconds: limit) { upkeep.waitedInVain() }
        }
    }

    /// Many short attempts and not a long one: SQLite waits for the place that a reader's statement has in the log, and a reader without
    /// pauses takes the same place for its next one. An attempt that begins behind that finds the reader at the log's end, where it is in
    /// nobody's way.
    private func beginLogAnew(_ context: WriteContext, waitingMilliseconds limit: Int) -> Bool {
        context.connection.setBusyTimeout(milliseconds: 1)
        defer { context.connection.setBusyTimeout(milliseconds: Connection.busyTimeoutMilliseconds) }
        let end = SystemClock.monotonicNanoseconds() + Int64(limit) * 1_000_000
        repeat {
            guard let result = try? context.connection.checkpoint(.restart) else { return false }
            if !result.wasBlocked { return true }
        } while SystemClock.monotonicNanoseconds() < end
        return false
    }

    /// True when nothing is left in the log. Readers keep their snapshots short, so a short wait is enough for most.
    private func emptyLog(_ context: WriteContext, waitingMilliseconds limit: Int) -> Bool {
        context.connection.setBusyTimeout(milliseconds: limit)
        defer { context.connection.setBusyTimeout(milliseconds: Connection.busyTimeoutMilliseconds) }
        guard let result = try? context.connection.checkpoint(.truncate) else { return false }
        return !result.wasBlocked
    }

    /// Leaves an empty log behind where no reader is in the way, so that a reader who may not write can open the database alone.
    func close() {
        guard let context else { return }
        if let hold = try? lock.acquire() {
            context.connection.setBusyTimeout(milliseconds: 0)
            _ = try? context.connection.checkpoint(.truncate)
            _ = consume hold
        }
        self.context = nil
    }
}
