import EventStorage
package import SessionDomain
import SystemCalls
import Vault

/// What begins a session.
package struct StartRequest: Sendable {
    package var configuration: CaptureConfiguration
    /// The client's own name for the session: the same key gives the same session, whatever crashed meanwhile.
    package var clientKey: String?
    /// Whom the session is about.
    package var subject: String?
    /// Flows of one person share it.
    package var group: String?
    package var transactionID: String?
    package var commandID: CommandID?
    package var occurredAtMilliseconds: Int64?
    package var actor: String?

    package init(configuration: CaptureConfiguration) { self.configuration = configuration }
}

extension Ledger {
    /// Begins a session, or returns the one that the same client key or command began.
    ///
    /// - Throws: what the configuration is refused for; `client_key_conflict`, `command_id_conflict`.
    package func start(_ request: StartRequest, as session: SessionID? = nil) throws(LedgerError) -> CommandReceipt {
        try writer.writeAndWait(starting(request, as: session))
    }

    /// As `start`, for a task, which must not block its thread.
    package func submit(_ request: StartRequest, as session: SessionID? = nil) async throws(LedgerError) -> CommandReceipt {
        try await writer.write(starting(request, as: session))
    }

    func starting(
        _ request: StartRequest, as session: SessionID? = nil
    ) -> @Sendable (WriteContext) throws(LedgerError) -> Result<CommandReceipt, LedgerError> {
        let now = clock.nowMilliseconds()
        let session = session ?? SessionID(Identifiers.fresh(atMilliseconds: now))
        let commandID = request.commandID ?? Self.freshCommandID(now)
        let policy = startPolicy
        return { (context) throws(LedgerError) in
            try context.start(request, policy, session: session, commandID: commandID)
        }
    }

    /// The ledger's policy for sessions that begin now.
    var startPolicy: SessionPolicy {
        var policy = settings.policy
        if policy.checks == nil { policy.checks = checks.isConfigured ? .required : .off }
        return policy
    }

    package static func freshCommandID(_ now: Int64) -> CommandID {
        CommandID(Identifiers.fresh(atMilliseconds: now))
    }
}

extension WriteContext {
    func start(
        _ asked: StartRequest, _ policy: SessionPolicy, session id: SessionID, commandID: CommandID
    ) throws(LedgerError) -> Result<CommandReceipt, LedgerError> {
        let body = Self.body(asked, starts.frozen(asked.configuration))
        if let existing = try began(asked, commandID: commandID, body: body) { return existing }
        var request = asked
        request.configuration.fillIn(checks: policy.mode, deadlineMilliseconds: policy.deadlineMilliseconds)
        let configuration = starts.frozen(request.configuration)
        // Decided before anything is written: the digest of the transaction needs a key, so presence stands in for it here.
        do {
            _ = try SessionDecider.decide(
                .start(StartSession(frozen: configuration, transaction: nil, secret: nil)), .initial,
                now: nowMilliseconds)
        } catch {
            return .failure(LedgerError(error))
        }
        let keyNumber = try takeKey()
        let key = try unlocked { () throws(VaultError) in try vault.sessionKeyInBatch(keyNumber) }
        let transaction = try request.transactionID.map { (text) throws(LedgerError) in
            try Self.commitment(key, Array(text.utf8))
        }
        let session = try insertSession(id, keyNumber: keyNumber)
        let start = StartSession(frozen: configuration, transaction: transaction, secret: Self.secret(request))
        let decided: [Decided]
        do { decided = try SessionDecider.decide(.start(start), .initial, now: nowMilliseconds) } catch {
            throw LedgerError(error)
        }
        let command = CommandRequest(
            session: id, command: .start(start), commandID: commandID, occurredAtMilliseconds: request.occurredAtMilliseconds,
            actor: request.actor, body: body)
        let positions = try append(decided, command, to: session)
        try translated { () throws(StorageError) in
            try writer.insert(
                StoredReceipt(
                    bodyDigest: vault.bodyDigest(body), firstPosition: positions[0], eventCount: Int64(positions.count)),
                session: session.row.number, command: commandID)
            for (kind, value) in Self.lookups(request, commandID) {
                guard let stored = LookupKind(rawValue: Int64(kind.rawValue)) else { continue }
                try writer.insertLookup(
                    stored, digest: vault.lookupDigest(kind, Array(value.utf8)), session: session.row.number)
            }
        }
        return .success(CommandReceipt(session: id, commandID: commandID, positions: positions, isRepeat: false))
    }

    /// The session that this client key or command began before.
    private func began(
        _ request: StartRequest, commandID: CommandID, body: [UInt8]
    ) throws(LedgerError) -> Result<CommandReceipt, LedgerError>? {
        var keys: [(LookupKind, Vault.LookupKind, String, LedgerError)] = []
        if request.commandID != nil { keys.append((.startCommand, .startCommand, commandID.text, .commandConflict)) }
        if let key = request.clientKey { keys.append((.clientKey, .clientKey, key, LedgerError(Rejection.clientKeyConflict))) }
        for (kind, vaultKind, value, conflict) in keys {
            let digest = vault.lookupDigest(vaultKind, Array(value.utf8))
            let found = try translated { () throws(StorageError) in try reader.sessions(kind, digest: digest).first }
            guard let found, let session = try session(number: found) else { continue }
            if erasureRequests[found] != nil { return .failure(.erasureRequested) }
            let same =
                kind == .clientKey
                ? session.fold.state.configuration?.value.fits(request.configuration) ?? false
                : try firstBody(of: session) == vault.bodyDigest(body)
            guard same else { return .failure(conflict) }
            return .success(try firstReceipt(of: session))
        }
        return nil
    }

    private func firstReceipt(of session: OpenSession) throws(LedgerError) -> CommandReceipt {
        let event = try translated { () throws(StorageError) in try reader.events(ofSession: session.row.number).first }
        guard let event, let text = event.commandID, let id = CommandID(text) else { throw .noSession() }
        return CommandReceipt(session: session.row.id, commandID: id, positions: [event.position], isRepeat: true)
    }

    private func firstBody(of session: OpenSession) throws(LedgerError) -> [UInt8]? {
        let first = try firstReceipt(of: session)
        return try translated { () throws(StorageError) in
            try writer.receipt(session: session.row.number, command: first.commandID)?.bodyDigest
        }
    }

    /// The next key of the pool; one that was destroyed before a restore is passed over.
    private func takeKey() throws(LedgerError) -> Int64 {
        var number = writer.nextKeyNumber
        return try unlocked { () throws(VaultError) in
            while true {
                if number > mintedThrough {
                    try vault.ensureMinted(through: number + Vault.mintBatch - 1)
                    mintedThrough = number + Vault.mintBatch - 1
                }
                do throws(VaultError) {
                    _ = try vault.sessionKeyInBatch(number)
                    return number
                } catch {
                    guard error.code == .keyDestroyed else { throw error }
                    number += 1
                }
            }
        }
    }

    static func commitment(_ key: SessionKey, _ value: [UInt8]) throws(LedgerError) -> Digest256 {
        try unlocked { () throws(VaultError) in try Digests.commitment(key, of: value) }
    }

    private static func members(_ request: StartRequest) -> [JSONValue.Member] {
        [
            ("client_key", request.clientKey), ("subject", request.subject), ("group", request.group),
            ("transaction_id", request.transactionID),
        ].compactMap { name, value in value.map { .init(name, .string($0)) } }
    }

    private static func secret(_ request: StartRequest) -> Secret? {
        let members = members(request)
        return members.isEmpty ? nil : JSONValue.members(members).canonicalBytes
    }

    /// The canonical JSON of everything that was asked for, its configuration as it is frozen.
    static func body(_ request: StartRequest, _ configuration: FrozenConfiguration) -> [UInt8] {
        var json = JSONWriter()
        json.bytes.reserveCapacity(configuration.canonicalJSON.utf8.count + 256)
        json.bytes.append(UInt8(ascii: "{"))
        if let key = request.clientKey {
            json.write("client_key")
            json.bytes.append(UInt8(ascii: ":"))
            json.write(key)
            json.bytes.append(UInt8(ascii: ","))
        }
        json.bytes.append(contentsOf: "\"command\":\"start\",\"configuration\":".utf8)
        json.bytes.append(contentsOf: configuration.canonicalJSON.utf8)
        let rest = [("group", request.group), ("subject", request.subject), ("transaction_id", request.transactionID)]
        for case (let key, let value?) in rest {
            json.bytes.append(UInt8(ascii: ","))
            json.write(key)
            json.bytes.append(UInt8(ascii: ":"))
            json.write(value)
        }
        json.bytes.append(UInt8(ascii: "}"))
        return json.bytes
    }

    private static func lookups(_ request: StartRequest, _ commandID: CommandID) -> [(Vault.LookupKind, String)] {
        var lookups: [(Vault.LookupKind, String)] = []
        if let value = request.clientKey { lookups.append((.clientKey, value)) }
        if let value = request.subject { lookups.append((.subject, SubjectReference(value).normal)) }
        if let value = request.group { lookups.append((.group, value)) }
        if let value = request.transactionID { lookups.append((.transaction, value)) }
        if request.commandID != nil { lookups.append((.startCommand, commandID.text)) }
        return lookups
    }
}

extension SessionPolicy {
    fileprivate var mode: ChecksMode { checks.flatMap { ChecksMode(rawValue: $0.rawValue) } ?? .off }
}

extension CaptureConfiguration {
    /// Takes the ledger's policy where the host's configuration is silent.
    fileprivate mutating func fillIn(checks mode: ChecksMode, deadlineMilliseconds limit: Int64?) {
        checks = checks ?? mode
        deadlineMilliseconds = deadlineMilliseconds ?? limit
    }

    /// Whether `asked`, with what it left open, is what this session was started with. Who goes on with a session need not bring the
    /// verifier that decides its captures, but one that is brought must be the one that decides them.
    fileprivate func fits(_ asked: CaptureConfiguration) -> Bool {
        var asked = asked
        if let checks { asked.fillIn(checks: checks, deadlineMilliseconds: deadlineMilliseconds) }
        guard asked.piecesForHost.isSubset(of: piecesForHost) else { return false }
        return withoutHost == asked.withoutHost
    }

    private var piecesForHost: Set<Piece> { Set(destinations.filter { $0.value == Self.host }.keys) }

    private var withoutHost: CaptureConfiguration {
        var configuration = self
        configuration.destinations = destinations.filter { $0.value != Self.host }
        return configuration
    }
}
