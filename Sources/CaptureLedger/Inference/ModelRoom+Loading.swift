import Dispatch
import MediaChecks

extension ModelRoom {
    /// The model, when it is loaded; waits at most as long as the room's patience.
    ///
    /// - Throws: `not_ready` with the reason of the last load that failed; `bad_descriptor` at once.
    func model(_ role: ModelRole) throws(ModelFault) -> SharedModel {
        guard waitsForRunners || runners.current != nil else { throw notReady(role, nil, hasRunner: false) }
        let waiter = ModelWaiter()
        let number = withState { state -> Int? in
            if let model = state.slots[role]?.model {
                waiter.end(.success(model))
                return nil
            }
            // closed since its scope was asked: nobody would load anything
            guard state.scopes > 0 else {
                waiter.end(.failure(Self.closed))
                return nil
            }
            state.lastWaiter += 1
            state.slots[role, default: ModelSlot()].waiters[state.lastWaiter] = waiter
            return state.lastWaiter
        }
        guard let number else { return try waiter.wait() }
        let alarm = clock.alarm(patienceMilliseconds) { self.expire(role, number) }
        defer { alarm.cancel() }
        load(role)
        return try waiter.wait()
    }

    /// Begins to load a model on a thread of its own, unless it is there, on its way with the same runner, or there is no runner.
    func load(_ role: ModelRole) {
        guard let (runner, registration) = runners.current else { return }
        let number = withState { state -> Int? in
            var slot = state.slots[role, default: ModelSlot()]
            guard state.scopes > 0, slot.model == nil, slot.loading?.registration != registration else { return nil }
            state.lastLoad += 1
            slot.loading = (state.lastLoad, registration)
            state.slots[role] = slot
            return state.lastLoad
        }
        guard let number else { return }
        let checkRunner = Inference.checkRunner(runner)
        // not a queue that others use: a load may never return
        DispatchQueue(label: "model-load").async {
            do throws(ModelFault) {
                self.finish(role, number, .success(try self.loaded(role, with: checkRunner)))
            } catch { self.finish(role, number, .failure(error)) }
        }
    }

    /// A runner was registered: whoever waits for a model has another chance.
    func loadWhatIsWaitedFor() {
        let roles = withState { state in state.slots.filter { !$0.value.waiters.isEmpty }.map(\.key) }
        for role in roles { load(role) }
    }

    /// Takes a model that broke out, so that the next call loads it anew.
    func discard(_ role: ModelRole, _ model: SharedModel) {
        withState { state in
            if state.slots[role]?.model === model { state.slots[role]?.model = nil }
        }
        model.release()
    }

    private func loaded(_ role: ModelRole, with runner: any CheckModelRunner) throws(ModelFault) -> SharedModel {
        guard let path = search.file(role), let descriptor = try descriptor(role) else {
            throw ModelFault(
                .notReady, message: "\(role.fileName) is not installed",
                remedy: "Put it into a folder of models: \(search.folders.joined(separator: ", ")).")
        }
        try search.verify(path, descriptor)
        return SharedModel(try runner.load(path))
    }

    private func finish(_ role: ModelRole, _ number: Int, _ result: Result<SharedModel, ModelFault>) {
        let ended = withState { state -> [ModelWaiter]? in
            guard var slot = state.slots[role], slot.loading?.number == number else { return nil }
            defer { state.slots[role] = slot }
            slot.loading = nil
            switch result {
            case .success(let model):
                slot.model = model
                slot.failure = nil
            case .failure(let fault):
                slot.failure = fault
                // such a load is the same as no runner: whoever waits goes on waiting
                if waitsForRunners, fault.code == .notReady || fault.code == .failed { return [] }
            }
            defer { slot.waiters = [:] }
            return Array(slot.waiters.values)
        }
        switch result {
        // too late: the room was left, or another runner has been registered
        case .success(let model) where ended == nil: model.release()
        case .success: break
        case .failure(let fault): note(role, fault)
        }
        for waiter in ended ?? [] { waiter.end(result) }
    }

    private func expire(_ role: ModelRole, _ number: Int) {
        let runner = runners.current
        let found = withState { state -> (ModelWaiter, ModelFault)? in
            guard let waiter = state.slots[role]?.waiters.removeValue(forKey: number) else { return nil }
            return (waiter, notReady(role, state.slots[role], hasRunner: runner != nil))
        }
        if let (waiter, fault) = found { waiter.end(.failure(fault)) }
    }

    private func notReady(_ role: ModelRole, _ slot: ModelSlot?, hasRunner: Bool) -> ModelFault {
        if let failure = slot?.failure {
            return ModelFault(
                .notReady, message: "\(role.fileName) could not be loaded: \(failure.message)", remedy: failure.remedy)
        }
        if hasRunner {
            return ModelFault(
                .notReady, message: "\(role.fileName) was not loaded within \(patienceMilliseconds) ms",
                remedy: "Find out why the model runner takes so long; the next check waits for the same load.")
        }
        return ModelFault(
            .notReady,
            message: waitsForRunners
                ? "no model runner was registered within \(patienceMilliseconds) ms" : "there is no model runner",
            remedy: "Register one (Inference.runner) before checks run, or turn checks off for the session.")
    }
}
