import Glibc
package import MediaChecks
import Synchronization

/// The loaded models of one process. Every ``ModelScope`` opened here shares them: a model is loaded once, off the caller's thread, and
/// released when the last scope closes.
package final class ModelRoom: Sendable {
    /// How long a check waits for a model that is not there: for a runner to be registered, or for a load to end (S39, S40).
    package static let usualPatience: Int64 = 5000

    let search: ModelSearch
    let runners: RunnerRegistry
    let clock: LedgerClock
    let patienceMilliseconds: Int64
    let waitsForRunners: Bool
    /// Told of every load that failed.
    let note: @Sendable (ModelRole, ModelFault) -> Void
    private let process: @Sendable () -> Int32
    private let state: Mutex<State>
    private let listener = Mutex<Int?>(nil)

    struct State {
        var scopes = 0
        var slots: [ModelRole: ModelSlot] = [:]
        var lastLoad = 0
        var lastWaiter = 0
        /// Who loaded what is in the slots.
        var process: Int32
        /// Models that the process loaded which this one was forked from: never called and never released here (F28).
        var abandoned: [SharedModel] = []
    }

    /// - Parameters:
    ///   - runners: asked at every load, and heard at every registration.
    ///   - patienceMilliseconds: of `clock`.
    ///   - waitsForRunners: false where nobody can register another runner: no runner, or a load that throws, is `not_ready` at once.
    ///   - note: told of every load that failed, on the thread of the load.
    ///   - process: the number of this process.
    package init(
        runners: RunnerRegistry, search: ModelSearch = ModelSearch(), clock: LedgerClock = .system,
        patienceMilliseconds: Int64 = usualPatience, waitsForRunners: Bool = true,
        note: @escaping @Sendable (ModelRole, ModelFault) -> Void = { _, _ in },
        process: @escaping @Sendable () -> Int32 = { getpid() }
    ) {
        self.runners = runners
        self.search = search
        self.clock = clock
        self.patienceMilliseconds = patienceMilliseconds
        self.waitsForRunners = waitsForRunners
        self.note = note
        self.process = process
        state = Mutex(State(process: process()))
        let number = runners.tell { [weak self] in self?.loadWhatIsWaitedFor() }
        listener.withLock { $0 = number }
    }

    deinit { if let number = listener.withLock({ $0 }) { runners.forget(number) } }

    /// Opens a scope. To be closed, or let go of, when its checks are done.
    ///
    /// - Parameter roles: models whose loading begins at once; the others are loaded when they are first asked for.
    package func open(loading roles: Set<ModelRole> = []) -> ModelScope {
        withState { $0.scopes += 1 }
        for role in roles { load(role) }
        return ModelScope(self)
    }

    /// A scope closed: the last one releases every model.
    func leave() {
        let left = withState { state -> [ModelRole: ModelSlot] in
            state.scopes -= 1
            guard state.scopes == 0 else { return [:] }
            defer { state.slots = [:] }
            return state.slots
        }
        for slot in left.values {
            slot.model?.release()
            for waiter in slot.waiters.values { waiter.end(.failure(Self.closed)) }
        }
    }

    /// Everything that is known, as this process may use it.
    func withState<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let number = process()
        return state.withLock { state in
            if state.process != number {
                state.process = number
                state.abandoned += state.slots.values.compactMap(\.model)
                state.slots = [:]
            }
            return body(&state)
        }
    }

    static let closed = ModelFault(
        .notReady, message: "the scope of checks is closed", remedy: "Open a scope for as long as its checks run.")
}
