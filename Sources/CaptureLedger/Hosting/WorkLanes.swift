import Dispatch
import Synchronization

/// Threads of the ledger's own for work that blocks, so that none of it sits on the cooperative pool: at most `width` at a time, the
/// rest in order of arrival.
final class WorkLanes: Sendable {
    private struct State {
        var idle: [DispatchQueue] = []
        var made = 0
        var waiting: [@Sendable () -> Void] = []
        /// Where `waiting` begins: what stands before it is done.
        var first = 0
    }

    private let label: String
    private let width: Int
    private let state = Mutex(State())

    init(_ label: String, width: Int) {
        self.label = label
        self.width = width
    }

    func submit(_ work: @escaping @Sendable () -> Void) {
        let lane = state.withLock { state -> DispatchQueue? in
            if let free = state.idle.popLast() { return free }
            guard state.made < width else {
                state.waiting.append(work)
                return nil
            }
            state.made += 1
            return DispatchQueue(label: label)
        }
        lane?.async { self.drain(lane, work) }
    }

    /// Runs `body` on a lane and returns what it gave.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(LedgerError) -> Value
    ) async throws(LedgerError) -> Value {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, LedgerError>, Never>) in
            submit {
                do throws(LedgerError) { continuation.resume(returning: .success(try body())) } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    private func drain(_ lane: DispatchQueue?, _ work: @Sendable () -> Void) {
        work()
        while let next = next(lane) { next() }
    }

    private func next(_ lane: DispatchQueue?) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.first < state.waiting.count else {
                state.waiting.removeAll(keepingCapacity: true)
                state.first = 0
                if let lane { state.idle.append(lane) }
                return nil
            }
            state.first += 1
            if state.first > 1024 {
                state.waiting.removeFirst(state.first - 1)
                state.first = 1
            }
            return state.waiting[state.first - 1]
        }
    }
}
