import EventStorage
import Outbox
public import SessionDomain

extension CaptureFlow {
    /// Keeps the piece's latest capture: only a confirmed capture is ever sent (S11).
    ///
    /// - Parameters:
    ///   - piece: one whose latest capture waits for its review.
    ///   - commandID: 1 to 128 visible ASCII characters, nothing personal; repeating a command changes nothing.
    /// - Throws: the flow's refusals, such as `nothing_captured`.
    public func confirm(_ piece: Piece, commandID: String? = nil) async throws(LedgerError) {
        try await perform(
            .confirm(piece: piece, captureID: nil), "confirm", [.init("piece", .string(piece.rawValue))], commandID)
    }

    /// Throws the piece's latest capture away before it was confirmed.
    public func retake(_ piece: Piece, commandID: String? = nil) async throws(LedgerError) {
        try await perform(
            .retake(piece: piece, captureID: nil), "retake", [.init("piece", .string(piece.rawValue))], commandID)
    }

    /// Takes pieces that were never captured out of the run; others are ignored, and repeating it changes nothing (S18). A verifier may
    /// call it: the pieces are gone before its answer counts.
    ///
    /// - Throws: `nothing_would_remain`.
    public func dropPendingPieces(_ pieces: Set<Piece>) async throws(LedgerError) {
        let named = Piece.allCases.filter(pieces.contains)
        try await perform(
            .drop(pieces: named), "drop", [.init("pieces", .array(named.map { .string($0.rawValue) }))], nil)
    }

    /// The user backs out. What was confirmed is still delivered.
    public func exit() async throws(LedgerError) { try await perform(.exit(secret: nil), "exit", [], nil) }

    /// Records what the user did beside capturing, such as a tap on the fallback link (S9) or a look at the review sheet (S67).
    /// `.retryRequested` has a piece that could not be verified tried again now.
    ///
    /// - Parameters:
    ///   - interaction: what the user did.
    ///   - piece: the one that was on the screen.
    ///   - remindAt: when the user wants to be reminded, for `.reminderRequested`.
    ///   - commandID: repeating a command changes nothing.
    public func record(
        _ interaction: Interaction, on piece: Piece? = nil, remindAtMilliseconds remindAt: Int64? = nil,
        commandID: String? = nil
    ) async throws(LedgerError) {
        let id = try Self.id(commandID)
        let (ledger, session) = (ledger, session)
        try await ledger.hosting.work.run { () throws(LedgerError) in
            var options = CommandOptions()
            options.commandID = id
            _ = try ledger.record(interaction, piece: piece, remindAtMilliseconds: remindAt, in: session, options)
            if interaction == .retryRequested, let piece { try ledger.retryNow(piece, in: session) }
        }
        announce()
        // What is due now changed without an event, perhaps after the interaction's was noticed.
        ledger.hosting.flow(session)?.notice()
    }

    /// Names the transaction of a hologram that was begun offline, until its first send (S89).
    ///
    /// - Throws: `transaction_already_bound` for another one.
    public func bindTransaction(_ transactionID: String, commandID: String? = nil) async throws(LedgerError) {
        let id = try Self.id(commandID)
        let (ledger, session) = (ledger, session)
        try await ledger.hosting.work.run { () throws(LedgerError) in
            var options = CommandOptions()
            options.commandID = id
            _ = try ledger.bindTransaction(transactionID, in: session, options)
        }
        announce()
    }

    @discardableResult
    func perform(
        _ command: SessionCommand, _ name: String, _ body: [JSONValue.Member], _ commandID: String?
    ) async throws(LedgerError) -> CommandReceipt {
        let now = ledger.clock.nowMilliseconds()
        let request = CommandRequest(
            session: session, command: command, commandID: try Self.id(commandID) ?? Ledger.freshCommandID(now),
            body: Ledger.body(name, body))
        let receipt = try await ledger.submit(request)
        announce()
        return receipt
    }

    /// Everybody who watches the ledger learns of it now and not at the next look.
    func announce() {
        ledger.hosting.feed.poke(ledger)
    }

    static func id(_ text: String?) throws(LedgerError) -> CommandID? {
        guard let text else { return nil }
        guard let id = CommandID(text) else {
            throw LedgerError(
                code: .init(rawValue: "command_id_invalid"),
                message: "A command id is 1 to 128 visible ASCII characters.",
                remedy: "Use letters, digits and hyphens, and nothing personal.")
        }
        return id
    }
}

extension Ledger {
    /// Has what waits for the piece's verifier tried at once.
    func retryNow(_ piece: Piece, in session: SessionID) throws(LedgerError) {
        let waiting = try deliveries(of: session).filter { $0.pieceCode == piece.code && $0.status == .waiting }
        for delivery in waiting where delivery.explanation != nil { try hurry(delivery) }
        for delivery in try deliveries(of: session) where delivery.pieceCode == piece.code && delivery.status == .parked {
            _ = try requeue(delivery, CommandOptions())
        }
    }

    private func hurry(_ delivery: DeliveryRow) throws(LedgerError) {
        try writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            try translated { () throws(StorageError) in
                try context.outbox.makeDue(delivery.number, nowMilliseconds: context.nowMilliseconds)
            }
            return .success(())
        }
    }
}
