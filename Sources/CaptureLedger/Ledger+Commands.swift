import EventStorage
package import SessionDomain
import Vault

/// What surrounds a command to a session.
package struct CommandOptions: Sendable {
    package var commandID: CommandID?
    package var expectedVersion: Int64?
    package var occurredAtMilliseconds: Int64?
    package var actor: String?
    package var correlationID: String?

    package init() {}
}

extension Ledger {
    package func confirm(_ piece: Piece, in session: SessionID, _ options: CommandOptions) throws(LedgerError) -> CommandReceipt
    {
        try perform(
            .confirm(piece: piece, captureID: nil), "confirm", [.init("piece", .string(piece.rawValue))], session, options)
    }

    package func retake(_ piece: Piece, in session: SessionID, _ options: CommandOptions) throws(LedgerError) -> CommandReceipt
    {
        try perform(
            .retake(piece: piece, captureID: nil), "retake", [.init("piece", .string(piece.rawValue))], session, options)
    }

    package func drop(_ pieces: [Piece], in session: SessionID, _ options: CommandOptions) throws(LedgerError) -> CommandReceipt
    {
        try perform(
            .drop(pieces: pieces), "drop", [.init("pieces", .array(pieces.map { .string($0.rawValue) }))], session, options)
    }

    package func exit(_ session: SessionID, _ options: CommandOptions) throws(LedgerError) -> CommandReceipt {
        try perform(.exit(secret: nil), "exit", [], session, options)
    }

    package func cancel(_ session: SessionID, _ options: CommandOptions) throws(LedgerError) -> CommandReceipt {
        try perform(.cancel(secret: nil), "cancel", [], session, options)
    }

    package func suspend(_ session: SessionID, _ options: CommandOptions) throws(LedgerError) -> CommandReceipt {
        try perform(.suspend, "suspend", [], session, options)
    }

    package func resume(_ session: SessionID, _ options: CommandOptions) throws(LedgerError) -> CommandReceipt {
        try perform(.resume, "resume", [], session, options)
    }

    package func startHologram(_ session: SessionID, _ options: CommandOptions) throws(LedgerError) -> CommandReceipt {
        try perform(.startHologramRecording, "hologram_start", [], session, options)
    }

    package func cancelHologram(
        _ session: SessionID, cause: RecordingEnd, _ options: CommandOptions
    ) throws(LedgerError) -> CommandReceipt {
        try perform(
            .cancelHologramRecording(cause: cause), "hologram_cancel", [.init("cause", .string(cause.rawValue))], session,
            options)
    }

    /// - Parameter label: what was observed, in canonical words: it tells one observation from another when a command is repeated.
    package func observe(
        _ observations: [Observation], label: String, in session: SessionID, _ options: CommandOptions
    ) throws(LedgerError) -> CommandReceipt {
        try perform(.observe(observations), "observe", [.init("what", .string(label))], session, options)
    }

    package func record(
        _ interaction: Interaction, piece: Piece?, remindAtMilliseconds: Int64?, in session: SessionID,
        _ options: CommandOptions
    ) throws(LedgerError) -> CommandReceipt {
        var members: [JSONValue.Member] = [.init("interaction", .string(interaction.rawValue))]
        if let piece { members.append(.init("piece", .string(piece.rawValue))) }
        if let remindAtMilliseconds { members.append(.init("remind_at_ms", .integer(remindAtMilliseconds))) }
        let command = RecordInteraction(
            interaction: interaction, piece: piece, remindAtMilliseconds: remindAtMilliseconds, secret: nil)
        return try perform(.recordInteraction(command), "interaction", members, session, options)
    }

    /// Names the transaction of an offline session's hologram, until its first send (S89).
    package func bindTransaction(
        _ transactionID: String, in session: SessionID, _ options: CommandOptions
    ) throws(LedgerError) -> CommandReceipt {
        let now = clock.nowMilliseconds()
        let commandID = options.commandID ?? Self.freshCommandID(now)
        return try writer.writeAndWait { (context) throws(LedgerError) in
            guard let open = try context.session(session), let keyNumber = open.row.keyNumber else {
                return .failure(.noSession())
            }
            if open.fold.state.isErased { return .failure(LedgerError(Rejection.sessionErased)) }
            let key = try unlocked { () throws(VaultError) in try context.vault.sessionKeyInBatch(keyNumber) }
            let digest = try WriteContext.commitment(key, Array(transactionID.utf8))
            let secret = JSONValue.members([.init("transaction_id", .string(transactionID))]).canonicalBytes
            let request = CommandRequest(
                session: session, command: .bindTransaction(digest, secret: secret), commandID: commandID,
                expectedVersion: options.expectedVersion, occurredAtMilliseconds: options.occurredAtMilliseconds,
                actor: options.actor, correlationID: options.correlationID,
                body: Self.body("hologram_bind", [.init("transaction_id", .string(transactionID))]))
            let result = try context.perform(request)
            if case .success(let receipt) = result, !receipt.isRepeat, !receipt.positions.isEmpty {
                let lookup = context.vault.lookupDigest(.transaction, Array(transactionID.utf8))
                try translated { () throws(StorageError) in
                    try context.writer.insertLookup(.transaction, digest: lookup, session: open.row.number)
                }
            }
            return result
        }
    }

    /// Ends sessions whose deadline has passed while they were still capturing.
    ///
    /// - Returns: how many it ended.
    package func expireDueSessions() throws(LedgerError) -> Int {
        // a jump of the clock is noted first, so that nothing ends because of it
        try writer.writeAndWait { (_) throws(LedgerError) -> Result<Void, LedgerError> in .success(()) }
        let now = clock.nowMilliseconds()
        let due = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var due: [SessionID] = []
                for number in try context.flows.expired(nowMilliseconds: now, limit: 1000) {
                    if let id = try context.events.session(number: number)?.id { due.append(id) }
                }
                return due
            }
        }
        var ended = 0
        for session in due {
            do throws(LedgerError) {
                let receipt = try perform(.expire, "expire", [], session, CommandOptions())
                ended += receipt.positions.isEmpty ? 0 : 1
            } catch  where Self.isRefusalToExpire(error) { continue }
        }
        return ended
    }

    private static func isRefusalToExpire(_ error: LedgerError) -> Bool { !error.isRetryable }

    func perform(
        _ command: SessionCommand, _ name: String, _ body: [JSONValue.Member], _ session: SessionID, _ options: CommandOptions
    ) throws(LedgerError) -> CommandReceipt {
        let request = CommandRequest(
            session: session, command: command, commandID: options.commandID ?? Self.freshCommandID(clock.nowMilliseconds()),
            expectedVersion: options.expectedVersion, occurredAtMilliseconds: options.occurredAtMilliseconds,
            actor: options.actor, correlationID: options.correlationID, body: Self.body(name, body))
        return try perform(request)
    }

    /// Decides and appends in the next transaction, from a thread that may block; answers once that is durable.
    package func perform(_ request: CommandRequest) throws(LedgerError) -> CommandReceipt {
        try writer.writeAndWait { (context) throws(LedgerError) in try context.perform(request) }
    }

    /// Decides and appends in the next transaction; answers once that is durable. For a task, which must not block its thread.
    package func submit(_ request: CommandRequest) async throws(LedgerError) -> CommandReceipt {
        try await writer.write { (context) throws(LedgerError) in try context.perform(request) }
    }

    /// What was asked for, in bytes that stay the same for ever.
    package static func body(_ name: String, _ members: [JSONValue.Member]) -> [UInt8] {
        JSONValue.members(members + [.init("command", .string(name))]).canonicalBytes
    }
}
