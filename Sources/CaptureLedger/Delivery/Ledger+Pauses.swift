import DeliveryMachine
import EventStorage
import Outbox
package import SessionDomain

// What a person pauses and resumes is an event of the ledger's own stream; what the machine pauses is state alone.

extension Ledger {
    /// Sessions of which a person lets nothing be sent.
    package func sessionPauses() throws(LedgerError) -> [(session: SessionID, sinceMilliseconds: Int64)] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.outbox.sessionPauses() }
        }
    }

    /// The session that has been paused for longest, at least since `moment`, among those of which something waits to be sent.
    package func sessionPause(
        since moment: Int64
    ) throws(LedgerError) -> (session: SessionID, sinceMilliseconds: Int64)? {
        for pause in try sessionPauses() where pause.sinceMilliseconds <= moment {
            let rows = try deliveries(of: pause.session)
            if rows.contains(where: { $0.status == .waiting }) { return pause }
        }
        return nil
    }

    /// Stops sending to a destination until a person resumes it. What is under way is finished.
    @discardableResult
    package func pause(
        destination: String, _ options: CommandOptions = CommandOptions()
    ) throws(LedgerError) -> CommandReceipt {
        let reason = OutboxWriter.pausedByOperator
        return try change("pause", [.init("destination", .string(destination))], options) {
            (context, commandID, actor) throws(LedgerError) in
            let state = try translated { () throws(StorageError) in
                try OutboxReader(context.connection).state(of: destination)
            }
            if state.pause?.reason == reason { return [] }
            let pause = DestinationPause(
                reason: reason, sinceMilliseconds: context.wallMilliseconds, probeAtMilliseconds: nil)
            try translated { () throws(StorageError) in
                try context.outbox.apply(.pause(pause), to: destination, byPerson: true)
            }
            let event = DestinationPaused(destination: destination, cause: reason.rawValue)
            return [try context.append(.destinationPaused(event), commandID: commandID, actor: actor)]
        }
    }

    /// Lifts any pause, also one that the worker set, and closes the breaker.
    @discardableResult
    package func resume(
        destination: String, _ options: CommandOptions = CommandOptions()
    ) throws(LedgerError) -> CommandReceipt {
        try change("resume", [.init("destination", .string(destination))], options) {
            (context, commandID, actor) throws(LedgerError) in
            let state = try translated { () throws(StorageError) in
                try OutboxReader(context.connection).state(of: destination)
            }
            if state.pause == nil, state.breaker == nil { return [] }
            try translated { () throws(StorageError) in
                try context.outbox.apply(.resume, to: destination, byPerson: true)
                try context.outbox.apply(.breaker(nil), to: destination)
            }
            let event = DestinationResumed(destination: destination, cause: OutboxWriter.pausedByOperator.rawValue)
            return [try context.append(.destinationResumed(event), commandID: commandID, actor: actor)]
        }
    }

    /// Stops sending what a session confirmed until a person resumes it; capturing goes on. What is under way is finished.
    @discardableResult
    package func pauseDeliveries(
        of session: SessionID, _ options: CommandOptions = CommandOptions()
    ) throws(LedgerError) -> CommandReceipt {
        try change("pause", session, options) { (context, number, commandID, actor) throws(LedgerError) in
            if try translated({ () throws(StorageError) in try context.outbox.isPaused(session: number) }) { return [] }
            let event = SessionDeliveriesPaused(sessionID: session, cause: OutboxWriter.pausedByOperator.rawValue)
            let position = try context.append(.sessionDeliveriesPaused(event), commandID: commandID, actor: actor)
            try translated { () throws(StorageError) in
                try context.outbox.pause(
                    session: number, position: position, nowMilliseconds: context.wallMilliseconds)
            }
            return [position]
        }
    }

    @discardableResult
    package func resumeDeliveries(
        of session: SessionID, _ options: CommandOptions = CommandOptions()
    ) throws(LedgerError) -> CommandReceipt {
        try change("resume", session, options) { (context, number, commandID, actor) throws(LedgerError) in
            guard try translated({ () throws(StorageError) in try context.outbox.isPaused(session: number) }) else { return [] }
            try translated { () throws(StorageError) in try context.outbox.resume(session: number) }
            let event = SessionDeliveriesResumed(sessionID: session, cause: OutboxWriter.pausedByOperator.rawValue)
            return [try context.append(.sessionDeliveriesResumed(event), commandID: commandID, actor: actor)]
        }
    }

    private func change(
        _ name: String, _ session: SessionID, _ options: CommandOptions,
        _ body: @escaping @Sendable (WriteContext, Int64, CommandID, String?) throws(LedgerError) -> [Int64]
    ) throws(LedgerError) -> CommandReceipt {
        let number = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.session(session)?.number }
        }
        guard let number, number != 0 else { throw .noSession() }
        return try change(name, [.init("session", .string(session.text))], options, ofSession: session) {
            (context, commandID, actor) throws(LedgerError) in try body(context, number, commandID, actor)
        }
    }

    private func change(
        _ name: String, _ members: [JSONValue.Member], _ options: CommandOptions, ofSession session: SessionID? = nil,
        _ body: @escaping @Sendable (WriteContext, CommandID, String?) throws(LedgerError) -> [Int64]
    ) throws(LedgerError) -> CommandReceipt {
        let commandID = options.commandID ?? Self.freshCommandID(clock.nowMilliseconds())
        let bytes = Self.body(name, members)
        return try writer.writeAndWait { (context) throws(LedgerError) -> Result<CommandReceipt, LedgerError> in
            if let session, options.expectedVersion != nil, let open = try context.session(session),
                let refusal = try context.staleness(of: open, options, commandID)
            {
                return .failure(refusal)
            }
            return try context.performOnLedger(commandID, body: bytes) { () throws(LedgerError) in
                try body(context, commandID, options.actor)
            }
        }
    }
}
