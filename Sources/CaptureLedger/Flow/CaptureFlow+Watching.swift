import Dispatch
import SessionDomain

extension CaptureFlow {
    /// Something may have changed: reads the session anew, off the caller's thread. Many notices make one reading.
    func notice() {
        let begins = watching.withLock { watching -> Bool in
            if watching.isClosed { return false }
            if watching.isReading {
                watching.mustReadAgain = true
                return false
            }
            watching.isReading = true
            return true
        }
        if begins { ledger.hosting.work.submit { self.read() } }
    }

    private func read() {
        var isAgain = true
        while isAgain {
            do throws(LedgerError) {
                let snapshot = try ledger.snapshot(of: session)
                publish(snapshot.state)
                tell(snapshot)
                haveVerified(snapshot)
                if snapshot.state.phase == .finished, snapshot.hostDueAt == nil { settle() }
            } catch { lookAgainLater() }
            isAgain = watching.withLock { watching -> Bool in
                watching.isReading = watching.mustReadAgain
                watching.mustReadAgain = false
                return watching.isReading
            }
        }
    }

    /// The ledger could not be read just now: nobody is told less for it, only later.
    private func lookAgainLater() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.notice() }
    }

    private func publish(_ state: FlowState) {
        let streams = watching.withLock { watching -> [AsyncStream<FlowState>.Continuation] in
            var changed: [AsyncStream<FlowState>.Continuation] = []
            for (key, stream) in watching.streams where stream.last != state {
                watching.streams[key]?.last = state
                changed.append(stream.continuation)
            }
            if state.phase == .finished { watching.streams.removeAll() }
            return changed
        }
        for stream in streams {
            stream.yield(state)
            if state.phase == .finished { stream.finish() }
        }
    }

    private func haveVerified(_ snapshot: FlowSnapshot) {
        let hasVerifier = watching.withLock { watching -> Bool in
            watching.hostDueAt = snapshot.hostDueAt
            return watching.verifier != nil
        }
        if hasVerifier, let due = snapshot.hostDueAt { ledger.hosting.verify(ledger, at: due) }
    }

    /// Nothing more will happen that the host is told of: the process need not watch the session any longer.
    private func settle() {
        let isDone = watching.withLock { $0.calls.isEmpty && !$0.isCalling }
        if isDone { ledger.hosting.forget(self) }
    }
}
