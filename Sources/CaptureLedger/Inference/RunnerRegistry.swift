import Synchronization

/// Which model runner there is, and who wants to know when one is registered.
package final class RunnerRegistry: Sendable {
    private struct State {
        var runner: (any ModelRunner)?
        /// Counts registrations: another one may succeed where the one before failed.
        var registration = 0
        var listeners: [Int: @Sendable () -> Void] = [:]
        var nextListener = 0
    }

    private let state: Mutex<State>

    package init(_ runner: (any ModelRunner)? = nil) {
        state = Mutex(State(runner: runner, registration: runner == nil ? 0 : 1))
    }

    package var runner: (any ModelRunner)? {
        get { state.withLock { $0.runner } }
        set {
            let listeners = state.withLock { state in
                state.runner = newValue
                state.registration += 1
                return Array(state.listeners.values)
            }
            for listener in listeners { listener() }
        }
    }

    /// The runner with the number of its registration.
    var current: (runner: any ModelRunner, registration: Int)? {
        state.withLock { state in state.runner.map { ($0, state.registration) } }
    }

    /// Calls `listener` after every registration until ``forget(_:)``.
    func tell(_ listener: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = listener
            return state.nextListener
        }
    }

    func forget(_ number: Int) { state.withLock { $0.listeners[number] = nil } }
}
