import Dispatch
import SessionDomain
import Synchronization

/// Notices what is appended, by this process at once and by others within a tenth of a second, and tells those who wait for it. It only
/// reads: no writer ever waits for it or for whom it tells.
final class EventFeed: Sendable {
    private struct State {
        /// Everything up to here was handed over.
        var position: Int64 = 0
        var isStarted = false
        var isStopped = false
        var isPoked = false
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private struct Waiter {
        let position: Int64
        let continuation: CheckedContinuation<Void, Never>
    }

    private static let intervalMilliseconds = 100
    private static let page = 256

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "capture-ledger.feed")

    /// Begins to watch; later calls change nothing.
    func start(_ ledger: Ledger) throws(LedgerError) {
        if state.withLock({ $0.isStarted || $0.isStopped }) { return }
        let position = try ledger.lastPosition()
        let isFirst = state.withLock { state -> Bool in
            guard !state.isStarted, !state.isStopped else { return false }
            state.isStarted = true
            state.position = position
            return true
        }
        if isFirst { watch(ledger) }
    }

    private func watch(_ ledger: Ledger) {
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.intervalMilliseconds)) { [weak self, weak ledger] in
            guard let self, let ledger, !self.state.withLock({ $0.isStopped }) else { return }
            self.turn(ledger)
            self.watch(ledger)
        }
    }

    /// Something was appended just now.
    func poke(_ ledger: Ledger) {
        let isFirst = state.withLock { state -> Bool in
            guard state.isStarted, !state.isStopped, !state.isPoked else { return false }
            state.isPoked = true
            return true
        }
        guard isFirst else { return }
        queue.async { [weak self, weak ledger] in
            guard let self else { return }
            self.state.withLock { $0.isPoked = false }
            if let ledger { self.turn(ledger) }
        }
    }

    /// A ledger that cannot be read now is asked again at the next turn.
    private func turn(_ ledger: Ledger) {
        while let page = try? ledger.events(after: state.withLock { $0.position }, limit: Self.page), let last = page.last {
            ledger.hosting.appended(Set(page.map(\.session)))
            let waiting = state.withLock { state -> [Waiter] in
                state.position = last.position
                let due = state.waiters.filter { $0.value.position < last.position }
                for key in due.keys { state.waiters[key] = nil }
                return Array(due.values)
            }
            for waiter in waiting { waiter.continuation.resume() }
            if page.count < Self.page { break }
        }
        ledger.hosting.turned(ledger)
    }

    /// Returns once there is an event above `position`, once the feed is stopped or once the task is cancelled.
    func waitForEvent(above position: Int64) async {
        let key = state.withLock { state -> Int in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let waits = state.withLock { state -> Bool in
                    guard !state.isStopped, state.position <= position, !Task.isCancelled else { return false }
                    state.waiters[key] = Waiter(position: position, continuation: continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: key) }?.continuation.resume()
        }
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Tells nobody any more; returns once nobody is being told.
    func stop() {
        let waiting = state.withLock { state -> [Waiter] in
            state.isStopped = true
            defer { state.waiters.removeAll() }
            return Array(state.waiters.values)
        }
        for waiter in waiting { waiter.continuation.resume() }
        queue.sync {}
    }
}
