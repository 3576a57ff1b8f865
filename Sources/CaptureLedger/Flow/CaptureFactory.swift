public import SessionDomain

/// Where flows come from.
public enum CaptureFactory {
    /// Begins a session, or goes on with the one that this client key began, also after a crash and in another process.
    ///
    /// The flow is watched until its session is finished: the callbacks come whether or not the host keeps the flow. When this process
    /// watches the session already, the same flow is returned and the callbacks and verifier given last are the ones called.
    ///
    /// - Parameters:
    ///   - ledger: keeps the session.
    ///   - configuration: frozen into the session when it begins.
    ///   - clientKey: the host's own name for the session, such as a booking number; sealed.
    ///   - transactionID: of the hologram; one that an offline session did not have yet is bound now (S89).
    ///   - verifier: decides about passport pages and selfies in this process. nil: the endpoints of the ledger's settings do, or, for a
    ///     session that another process's verifier decides, that one does.
    ///   - callbacks: told of the session's milestones, each after its commit.
    /// - Throws: what the configuration is refused for; `client_key_conflict` when the key began a session with another configuration,
    ///   or one whose captures do not go to a host's verifier while one is given; `transaction_already_bound`; `read_only`.
    public static func makeFlow(
        in ledger: Ledger, configuration: CaptureConfiguration, clientKey: String? = nil, transactionID: String? = nil,
        verifier: (any Verifier)? = nil, callbacks: CaptureCallbacks
    ) async throws(LedgerError) -> CaptureFlow {
        var request = StartRequest(configuration: configuration)
        request.configuration.fillIn(hostVerifies: verifier != nil)
        request.clientKey = clientKey
        request.transactionID = transactionID
        let receipt = try await ledger.submit(request)
        let flow = ledger.hosting.adopt(receipt.session, of: ledger)
        if receipt.isRepeat, let transactionID { try await flow.bindTransaction(transactionID) }
        try await flow.serve(callbacks, verifier)
        return flow
    }
}

extension CaptureConfiguration {
    /// The destination that means a verifier in the host's own process.
    package static let host = "host"

    /// What the seeds set elsewhere than in the configuration.
    mutating func fillIn(hostVerifies: Bool) {
        if hostVerifies {
            for piece in pieces where piece != .hologram && destinations[piece] == nil { destinations[piece] = Self.host }
        }
        if pieces.contains(.hologram), hologramSettings == HologramSettings() { hologramSettings = HologramController.settings }
    }
}

extension CaptureFlow {
    /// Calls these from now on, and catches up on what was not told yet.
    func serve(_ callbacks: CaptureCallbacks, _ verifier: (any Verifier)?) async throws(LedgerError) {
        watching.withLock { watching in
            watching.callbacks = callbacks
            if let verifier { watching.verifier = verifier }
        }
        let ledger = ledger
        try await ledger.hosting.work.run { () throws(LedgerError) in try ledger.hosting.feed.start(ledger) }
        notice()
        announce()
    }
}
