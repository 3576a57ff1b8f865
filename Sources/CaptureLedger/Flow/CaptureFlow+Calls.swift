import SessionDomain

extension CaptureFlow {
    /// One call to the host that is due.
    enum Call: Sendable {
        case nothingLeft(Int64)
        case complete(Int64, [Piece: CaptureResult], [Piece: Payload])
        case exit(Int64)
    }

    /// Queues the calls that a reading makes due. What a session was once told of is not told again in this process.
    func tell(_ snapshot: FlowSnapshot) {
        // What an erased session was about is gone: there is nothing left to hand over.
        guard !snapshot.isErased, watching.withLock({ $0.callbacks != nil }) else { return }
        let known = watching.withLock(\.told)
        let told = known ?? ledger.hosting.told(session) ?? CallbackRecord.read(session, ledger.files)
        let begins = watching.withLock { watching -> Bool in
            var told = watching.told ?? told
            let found = snapshot.milestones
            if found.nothingLeft > told.nothingLeft { watching.calls.append(.nothingLeft(found.nothingLeft)) }
            if found.completed > told.completed {
                watching.calls.append(.complete(found.completed, snapshot.results, snapshot.payloads))
            }
            if found.exited > told.exited { watching.calls.append(.exit(found.exited)) }
            told.nothingLeft = max(told.nothingLeft, found.nothingLeft)
            told.completed = max(told.completed, found.completed)
            told.exited = max(told.exited, found.exited)
            watching.told = told
            guard !watching.calls.isEmpty, !watching.isCalling else { return false }
            watching.isCalling = true
            return true
        }
        if begins { ledger.hosting.callbacks.submit { self.call() } }
    }

    /// One at a time, on a thread where the host's code may block.
    private func call() {
        while true {
            let next = watching.withLock { watching -> (Call, CaptureCallbacks)? in
                guard !watching.calls.isEmpty, let callbacks = watching.callbacks else {
                    watching.isCalling = false
                    return nil
                }
                return (watching.calls.removeFirst(), callbacks)
            }
            guard let (call, callbacks) = next else { return notice() }
            switch call {
            case .nothingLeft(let position):
                callbacks.onNothingLeftToCapture()
                record { $0.nothingLeft = position }
            case .complete(let position, let results, let payloads):
                callbacks.onComplete(results, payloads)
                record { $0.completed = position }
            case .exit(let position):
                callbacks.onExit()
                record { $0.exited = position }
            }
        }
    }

    /// Remembers across restarts that a call returned. Where that cannot be written, this process remembers it, and the next one calls
    /// again: at least once, with the same session and captures.
    private func record(_ change: (inout Milestones) -> Void) {
        var told = ledger.hosting.told(session) ?? CallbackRecord.read(session, ledger.files)
        change(&told)
        do throws(LedgerError) {
            try CallbackRecord.write(told, session, ledger.files)
            ledger.hosting.remember(nil, of: session)
        } catch { ledger.hosting.remember(told, of: session) }
    }
}
