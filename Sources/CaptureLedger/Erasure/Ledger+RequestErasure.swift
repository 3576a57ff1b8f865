package import EventStorage
package import SessionDomain
import Vault

/// What a request to erase a session came to.
package struct ErasureReceipt: Sendable {
    package let receipt: CommandReceipt
    /// nil: the session is erased already.
    package let request: ErasureRequest?
    /// Who holds something of the session so far.
    package let recipients: [Recipient]
}

extension Ledger {
    /// Asks for a session's erasure: from this commit on nothing private of it opens, nothing is appended to it and nothing of it is
    /// sent; when the undo window ends, whoever opens the ledger for writing next erases it. Asking again changes nothing.
    ///
    /// - Parameter window: in milliseconds; nil: as the settings say.
    /// - Throws: `no_such_session`, `stale_version`, `command_id_conflict`.
    package func requestErasure(
        _ session: SessionID, window: Int64? = nil, _ options: CommandOptions = CommandOptions()
    ) throws(LedgerError) -> ErasureReceipt {
        let window = window ?? settings.privacy.undoWindowMilliseconds
        let commandID = options.commandID ?? Self.freshCommandID(clock.nowMilliseconds())
        let body = Self.body("request_erasure", [.init("session", .string(session.text))])
        let (receipt, request) = try writer.writeAndWait {
            (context) throws(LedgerError) -> Result<(CommandReceipt, ErasureRequest?), LedgerError> in
            guard let open = try context.session(session) else { return .failure(.noSession()) }
            let number = open.row.number
            if let refusal = try context.staleness(of: open, options, commandID) { return .failure(refusal) }
            let done = try context.performOnLedger(commandID, body: body) { () throws(LedgerError) in
                if open.fold.state.isErased || context.erasureRequests[number] != nil { return [] }
                let due = context.wallMilliseconds + window
                let event = ErasureRequested(sessionID: session, dueAtMilliseconds: due)
                let position = try context.append(.erasureRequested(event), commandID: commandID, actor: options.actor)
                try context.remember(
                    ErasureRequest(
                        sessionNumber: number, session: session, position: position,
                        requestedAtMilliseconds: context.wallMilliseconds, dueAtMilliseconds: due))
                return [position]
            }
            return done.map { ($0, context.erasureRequests[number]) }
        }
        return ErasureReceipt(receipt: receipt, request: request, recipients: try recipients(of: session))
    }

    /// Calls a requested erasure off: everything is as it was before.
    ///
    /// - Throws: `erasure_not_requested`, `session_erased` when it is too late, `no_such_session`, `stale_version`,
    ///   `command_id_conflict`.
    package func withdrawErasure(
        _ session: SessionID, _ options: CommandOptions = CommandOptions()
    ) throws(LedgerError) -> CommandReceipt {
        let commandID = options.commandID ?? Self.freshCommandID(clock.nowMilliseconds())
        let body = Self.body("withdraw_erasure", [.init("session", .string(session.text))])
        return try writer.writeAndWait { (context) throws(LedgerError) -> Result<CommandReceipt, LedgerError> in
            guard let open = try context.session(session) else { return .failure(.noSession()) }
            let number = open.row.number
            if try !context.isRepeat(commandID) {
                if open.fold.state.isErased { return .failure(LedgerError(Rejection.sessionErased)) }
                guard context.erasureRequests[number] != nil else { return .failure(.erasureNotRequested) }
            }
            if let refusal = try context.staleness(of: open, options, commandID) { return .failure(refusal) }
            return try context.performOnLedger(commandID, body: body) { () throws(LedgerError) in
                let event = ErasureWithdrawn(sessionID: session)
                let position = try context.append(.erasureWithdrawn(event), commandID: commandID, actor: options.actor)
                try context.forgetErasureRequest(of: number)
                return [position]
            }
        }
    }

    /// Sessions in their undo window, what is due first first.
    package func erasureRequests(dueBy time: Int64? = nil) throws(LedgerError) -> [ErasureRequest] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.erasureRequests(dueBy: time) }
        }
    }

    /// nil: nobody asked for this session's erasure, or it is done.
    package func erasureRequest(of session: SessionID) throws(LedgerError) -> ErasureRequest? {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                guard let row = try context.events.session(session) else { return nil }
                return try context.events.erasureRequests(session: row.number).first
            }
        }
    }

    /// - Throws: `erasure_requested` for a session in its undo window, of which nothing private is given out.
    package func requireNotErasing(_ session: SessionID) throws(LedgerError) {
        if try erasureRequest(of: session) != nil { throw .erasureRequested }
    }
}

extension ErasureRequest {
    package var json: JSONValue {
        .members([
            .init("position", .integer(position)), .init("requested_at_ms", .integer(requestedAtMilliseconds)),
            .init("due_at_ms", .integer(dueAtMilliseconds)),
        ])
    }
}

extension WriteContext {
    /// Whether a command to the ledger with this name was done before.
    func isRepeat(_ commandID: CommandID) throws(LedgerError) -> Bool {
        try translated { () throws(StorageError) in try writer.receipt(session: 0, command: commandID) } != nil
    }

    /// The refusal of a command that expects another version; a repeated one gets its receipt.
    func staleness(
        of session: OpenSession, _ options: CommandOptions, _ commandID: CommandID
    ) throws(LedgerError) -> LedgerError? {
        if try isRepeat(commandID) { return nil }
        do { try SessionDecider.check(expectedVersion: options.expectedVersion, session.fold.state) } catch {
            return LedgerError(error)
        }
        return nil
    }
}
