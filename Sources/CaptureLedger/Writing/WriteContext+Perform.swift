import EventCoding
import EventStorage
import SessionDomain
import Vault

extension WriteContext {
    /// Decides a command on the state that includes this batch's earlier ones, and appends what follows from it. A refusal has
    /// written nothing.
    ///
    /// - Throws: what fails the whole batch.
    func perform(_ request: CommandRequest) throws(LedgerError) -> Result<CommandReceipt, LedgerError> {
        guard let session = try session(request.session) else { return .failure(.noSession()) }
        let bodyDigest = vault.bodyDigest(request.body)
        if let first = try translated({ () throws(StorageError) in
            try writer.receipt(session: session.row.number, command: request.commandID)
        }) {
            guard first.bodyDigest == bodyDigest else { return .failure(.commandConflict) }
            return .success(
                CommandReceipt(
                    session: request.session, commandID: request.commandID, positions: first.positions, isRepeat: true))
        }
        if let refusal = refusal(whileErasing: session.row.number, request.command) { return .failure(refusal) }
        let decided: [Decided]
        do {
            try SessionDecider.check(expectedVersion: request.expectedVersion, session.fold.state)
            decided = try SessionDecider.decide(request.command, comparable(session), now: nowMilliseconds)
        } catch {
            return .failure(LedgerError(error))
        }
        let positions = try append(decided, request, to: session)
        try translated { () throws(StorageError) in
            try writer.insert(
                StoredReceipt(
                    bodyDigest: bodyDigest, firstPosition: positions.first ?? 0, eventCount: Int64(positions.count)),
                session: session.row.number, command: request.commandID)
        }
        return .success(
            CommandReceipt(session: request.session, commandID: request.commandID, positions: positions, isRepeat: false))
    }

    /// Appends decided events in order; each seals its private half with the session's key.
    func append(_ decided: [Decided], _ request: CommandRequest, to session: OpenSession) throws(LedgerError) -> [Int64] {
        let (occurredAt, flags) = believable(request.occurredAtMilliseconds)
        var positions: [Int64] = []
        positions.reserveCapacity(decided.count)
        for (index, step) in decided.enumerated() {
            let eventID = Identifiers.fresh(atMilliseconds: nowMilliseconds)
            var interned: LedgerError?
            let encoded = EventCoder.encode(step.event) { json in
                do throws(LedgerError) { return try intern(json, step.event) } catch {
                    interned = error
                    return ""
                }
            }
            if let interned { throw interned }
            let event = NewEvent(
                eventID: eventID, encoded: encoded, occurredAtMilliseconds: occurredAt, flags: flags,
                commandID: request.commandID.text, correlationID: request.correlationID,
                causationPosition: index == 0 ? nil : positions[0], actor: request.actor,
                sealed: try seal(step.secret, eventID: eventID, session: session))
            positions.append(try append(event, step.event, to: session))
        }
        return positions
    }

    private func seal(_ secret: Secret?, eventID: UUID128, session: OpenSession) throws(LedgerError) -> [UInt8]? {
        guard let secret, let keyNumber = session.row.keyNumber else { return nil }
        return try unlocked { () throws(VaultError) in
            try vault.sessionKeyInBatch(keyNumber).seal(
                secret, .privateHalf(event: ObjectID(eventID)), session: ObjectID(session.row.id.uuid))
        }
    }

    /// Keeps a configuration once, and remembers it for the sessions that share it.
    private func intern(_ json: String, _ event: SessionEvent) throws(LedgerError) -> String {
        guard case .sessionStarted(let started) = event else { preconditionFailure("only a start has a configuration") }
        let (digest, hex, isNew) = starts.digest(started.configuration)
        try translated { () throws(StorageError) in try writer.intern(configuration: json, digest: digest) }
        if isNew { configurations.remember(started.configuration, digest: hex) }
        return hex
    }

    /// A client's time before 2020 or more than a day ahead of ours is not kept: nothing is fabricated from it.
    private func believable(_ clientTime: Int64?) -> (Int64?, EventFlags) {
        let flags = isClockBehind ? EventFlags.storeClockBehind : EventFlags(rawValue: 0)
        guard let clientTime else { return (nil, flags) }
        guard clientTime >= 1_577_836_800_000, clientTime <= nowMilliseconds + 86_400_000 else {
            return (nil, flags.union(.clientClockSkewed))
        }
        return (clientTime, flags)
    }
}
