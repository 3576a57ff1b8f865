import DeliveryMachine
import Dispatch
import Synchronization

/// Where the threads of a transport leave what ended, for the one worker.
final class Mailbox: Sendable {
    private struct State {
        var results: [TransferResult] = []
        var isWoken = false
        /// Why a thread is over that was not told to stop.
        var failure: DeliveryFault?
    }

    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    func deposit(_ results: [TransferResult]) {
        if results.isEmpty { return }
        state.withLock { $0.results += results }
        news.signal()
    }

    func fail(_ fault: DeliveryFault) {
        state.withLock { $0.failure = fault }
        news.signal()
    }

    /// Has `take` return soon, with nothing or with what there is.
    func wake() {
        state.withLock { $0.isWoken = true }
        news.signal()
    }

    /// What ended, as soon as something has; nothing when the time is over, or somebody woke it.
    func take(milliseconds: Int) throws(DeliveryFault) -> [TransferResult] {
        let deadline = DispatchTime.now() + .milliseconds(max(0, milliseconds))
        while true {
            let (results, failure, isWoken) = state.withLock { state in
                defer {
                    state.results.removeAll()
                    state.isWoken = false
                }
                return (state.results, state.failure, state.isWoken)
            }
            if !results.isEmpty { return results }
            if let failure { throw failure }
            if isWoken { return [] }
            if news.wait(timeout: deadline) == .timedOut { return [] }
        }
    }
}
