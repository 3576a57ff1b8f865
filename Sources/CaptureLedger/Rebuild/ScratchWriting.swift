import Dispatch
import EventStorage
import Synchronization

/// Writes pages into a scratch on a thread of its own, in the order in which they are put, a few at most behind.
final class ScratchWriting: Sendable {
    private let scratch: RebuildScratch
    private let queue = DispatchQueue(label: "capture-ledger.projection.scratch")
    private let room = DispatchSemaphore(value: 0)
    private let failure = Mutex<LedgerError?>(nil)

    init(_ scratch: RebuildScratch) {
        self.scratch = scratch
        for _ in 0..<4 { room.signal() }
    }

    /// Waits for room.
    ///
    /// - Throws: what went wrong with an earlier page.
    func put(_ page: ProjectionPage) throws(LedgerError) {
        room.wait()
        queue.async {
            self.step { () throws(LedgerError) in
                try translated { () throws(StorageError) in try self.scratch.insert(page) }
            }
            self.room.signal()
        }
        try check()
    }

    /// Waits until everything is written.
    func finish() throws(LedgerError) {
        queue.sync {
            step { () throws(LedgerError) in
                try translated { () throws(StorageError) in try scratch.finish() }
            }
        }
        try check()
    }

    /// After a failure nothing more is done.
    private func step(_ body: () throws(LedgerError) -> Void) {
        guard failure.withLock({ $0 == nil }) else { return }
        do throws(LedgerError) { try body() } catch { failure.withLock { $0 = error } }
    }

    private func check() throws(LedgerError) {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
