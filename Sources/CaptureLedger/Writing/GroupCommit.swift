import Dispatch
import Synchronization

/// The one writer of this process: concurrent jobs share one transaction, one fsync and one hold of the cross-process lock.
///
/// A job that refuses (a domain rejection, a stale version) has written nothing, since decisions come before the first write, and
/// spoils nothing else. A job that throws fails the whole batch: nothing of it is stored, nobody of it is acknowledged, and the
/// connection is opened anew.
///
/// A thread that waits for its own job while nobody writes runs it itself, on the writer's queue but without a change of thread.
final class GroupCommit: Sendable {
    /// More than this in one transaction only makes the first of them wait longer.
    static let largestBatch = 1024

    private struct Waiting {
        var jobs: [any WriteJob] = []
        var isDraining = false
        var isClosed = false
    }

    private let waiting = Mutex(Waiting())
    private let queue = DispatchQueue(label: "capture-ledger.writer")
    private let desk: WriterDesk

    init(_ desk: WriterDesk) { self.desk = desk }

    /// Runs `body` in the next transaction and returns its answer once that is durable.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteContext) throws(LedgerError) -> Result<Value, LedgerError>
    ) async throws(LedgerError) -> Value {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, LedgerError>, Never>) in
            submit(PendingWrite(body) { continuation.resume(returning: $0) }, mayBlock: false)
        }
        return try result.get()
    }

    /// The same for a thread that may block, such as a sync worker's.
    func writeAndWait<Value: Sendable>(
        _ body: @escaping @Sendable (WriteContext) throws(LedgerError) -> Result<Value, LedgerError>
    ) throws(LedgerError) -> Value {
        let done = DispatchSemaphore(value: 0)
        let answer = Mutex<Result<Value, LedgerError>?>(nil)
        submit(
            PendingWrite(body) { result in
                answer.withLock { $0 = result }
                done.signal()
            }, mayBlock: true)
        done.wait()
        guard let result = answer.withLock({ $0 }) else { throw .closed }
        return try result.get()
    }

    /// - Parameter mayBlock: this thread waits for the job anyway.
    private func submit(_ job: any WriteJob, mayBlock: Bool) {
        enum Next { case start, wait, refuse }
        let next = waiting.withLock { waiting -> Next in
            if waiting.isClosed { return .refuse }
            waiting.jobs.append(job)
            if waiting.isDraining { return .wait }
            waiting.isDraining = true
            return .start
        }
        switch next {
        case .start where mayBlock: queue.sync { lead() }
        case .start: queue.async { self.drain() }
        case .wait: break
        case .refuse: job.finish(.closed)
        }
    }

    /// Runs the batch that this thread's job is in, and leaves those who came meanwhile to the queue: nobody works for others longer than
    /// for itself.
    private func lead() {
        desk.run(nextBatch())
        let isOver = waiting.withLock { waiting in
            waiting.isDraining = !waiting.jobs.isEmpty
            return waiting.jobs.isEmpty
        }
        if !isOver { queue.async { self.drain() } }
    }

    private func drain() {
        while true {
            let batch = nextBatch()
            if batch.isEmpty { return }
            desk.run(batch)
        }
    }

    /// Those who wait, in the order in which they came; when nobody does, the writer is at rest.
    private func nextBatch() -> [any WriteJob] {
        waiting.withLock { waiting in
            var batch: [any WriteJob] = []
            if waiting.jobs.count <= Self.largestBatch {
                swap(&batch, &waiting.jobs)
            } else {
                batch = Array(waiting.jobs.prefix(Self.largestBatch))
                waiting.jobs.removeFirst(batch.count)
            }
            if batch.isEmpty { waiting.isDraining = false }
            return batch
        }
    }

    /// Takes no more jobs, finishes those it has, and closes the connection.
    func close() {
        waiting.withLock { $0.isClosed = true }
        queue.sync {
            drain()
            desk.close()
        }
    }
}

/// One job of a batch.
protocol WriteJob: Sendable {
    /// - Throws: what fails the whole batch.
    func run(_ context: WriteContext) throws(LedgerError)
    /// Called once, after the commit or with the reason why there was none.
    func finish(_ failure: LedgerError?)
}

private final class PendingWrite<Value: Sendable>: WriteJob, Sendable {
    private let body: @Sendable (WriteContext) throws(LedgerError) -> Result<Value, LedgerError>
    private let answer: @Sendable (Result<Value, LedgerError>) -> Void
    private let result = Mutex<Result<Value, LedgerError>>(.failure(.closed))

    init(
        _ body: @escaping @Sendable (WriteContext) throws(LedgerError) -> Result<Value, LedgerError>,
        answer: @escaping @Sendable (Result<Value, LedgerError>) -> Void
    ) {
        self.body = body
        self.answer = answer
    }

    func run(_ context: WriteContext) throws(LedgerError) {
        let value = try body(context)
        result.withLock { $0 = value }
    }

    func finish(_ failure: LedgerError?) {
        if let failure { answer(.failure(failure)) } else { answer(result.withLock { $0 }) }
    }
}

extension LedgerError {
    static let closed = LedgerError(
        code: .init(rawValue: "ledger_closed"), message: "This ledger was closed.", remedy: "Open it again.")
}
