package import SessionDomain

/// A session's deliveries as its events make them: the one way in which events become delivery rows, live, on load and in a rebuild.
package struct DeliveryFold: Sendable {
    package struct Row: Sendable, Hashable {
        /// The position of the event that confirmed the capture.
        package let number: Int64
        package let capture: CaptureID
        package let piece: Piece
        package let ordinal: Int
        package let destination: String
        package let isStrict: Bool
        package fileprivate(set) var status = DeliveryStatus.waiting
        /// What it waits for before it may be sent at all.
        package fileprivate(set) var blocked: String?
        package fileprivate(set) var settledPosition: Int64?
        package fileprivate(set) var cause: String?
    }

    /// Whether a row is not yet, or no longer, as it was last written.
    package enum Change: Sendable { case none, updated, inserted }

    /// In order of their numbers.
    package private(set) var rows: [Row] = []
    package private(set) var changes: [Change] = []

    /// What a hologram waits for that has no transaction yet (S89).
    package static let waitsForTransaction = "transaction"
    /// What a capture waits for that was confirmed before it was checked.
    package static let waitsForChecks = "checks"
    /// Why a delivery was withdrawn whose capture failed its checks after it was confirmed.
    package static let failedChecks = "failed_checks"
    /// Every reason for which a delivery is withdrawn.
    package static let withdrawals = ["superseded", "retaken", failedChecks, "cancelled", "expired", "erased"]

    package init() {}

    /// What there is by now is written.
    package mutating func forgetChanges() { for index in changes.indices { changes[index] = .none } }

    /// Begins with the next session, in the same memory.
    package mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
    }

    /// Folds one event.
    ///
    /// - Parameter state: the session's state after the event. It is left as it is, and passed in place because it is large.
    package mutating func apply(_ event: SessionEvent, position: Int64, state: inout SessionState) {
        switch event {
        case .pieceConfirmed(let event): confirm(event, position: position, &state)
        case .pieceCaptured(let event):
            guard event.supersedes != nil else { return }
            withdraw(event.piece, position: position, cause: "superseded")
        case .pieceChecked(let event): check(event, position: position, &state)
        case .pieceRetaken(let event): withdraw(event.piece, position: position, cause: "retaken")
        case .pieceVerified(let event):
            settle(event.captureID, .verified, position: position, late: event.late, cause: event.late ? "late" : nil)
        case .pieceRejected(let event):
            settle(event.captureID, .rejected, position: position, late: event.late, cause: event.failure.rawValue)
        case .pieceDeliveryParked(let event):
            settle(event.captureID, .parked, position: position, late: event.late, cause: event.cause)
        case .pieceDeliveryRequeued(let event):
            change(
                where: { $0.capture == event.captureID && $0.status == .parked },
                by: { row in
                    row.status = .waiting
                    row.settledPosition = nil
                    row.cause = nil
                })
        case .hologramTransactionBound:
            change(where: { $0.blocked == Self.waitsForTransaction }, by: { $0.blocked = nil })
        case .sessionCancelled: withdraw(nil, position: position, cause: "cancelled")
        case .sessionExpired: withdraw(nil, position: position, cause: "expired")
        case .sessionErased: withdraw(nil, position: position, cause: "erased")
        case .sessionStarted, .sessionSuspended, .sessionResumed, .captureRefused, .pendingPiecesDropped,
            .hologramRecordingStarted, .hologramRecordingCancelled, .guidanceObserved, .interactionRecorded,
            .sessionCompleted, .sessionExited, .mediaPurged:
            break
        }
    }

    private mutating func change(where isMeant: (Row) -> Bool, by body: (inout Row) -> Void) {
        for index in rows.indices where isMeant(rows[index]) {
            body(&rows[index])
            if changes[index] == .none { changes[index] = .updated }
        }
    }

    private mutating func confirm(_ event: PieceConfirmed, position: Int64, _ state: inout SessionState) {
        let waitsForChecks = state.configuration?.value.checks == .deferred && !state.pieces[event.piece].isChecked
        rows.append(
            Row(
                number: position, capture: event.captureID, piece: event.piece,
                ordinal: state.order.firstIndex(of: event.piece) ?? 0, destination: event.destination,
                isStrict: state.configuration?.value.ordering == .strict,
                blocked: waitsForChecks ? Self.waitsForChecks : Self.block(event.piece, &state)))
        changes.append(.inserted)
    }

    /// What a capture still waits for that is checked, or need not be.
    private static func block(_ piece: Piece, _ state: inout SessionState) -> String? {
        piece == .hologram && state.transaction == nil ? waitsForTransaction : nil
    }

    /// A confirmed capture goes, or is taken back, when it is judged.
    private mutating func check(_ event: PieceChecked, position: Int64, _ state: inout SessionState) {
        guard !event.late else { return }
        if event.failure != nil {
            return withdraw(event.piece, position: position, cause: Self.failedChecks)
        }
        let rest = Self.block(event.piece, &state)
        change(where: { $0.capture == event.captureID && $0.blocked == Self.waitsForChecks }, by: { $0.blocked = rest })
    }

    /// A late answer settles only what was not decided before.
    private mutating func settle(
        _ capture: CaptureID, _ status: DeliveryStatus, position: Int64, late: Bool, cause: String?
    ) {
        change(
            where: { $0.capture == capture && !(late && ($0.status == .verified || $0.status == .rejected)) },
            by: { row in
                row.status = status
                row.settledPosition = position
                row.cause = cause
            })
    }

    /// - Parameter piece: nil: all of them.
    private mutating func withdraw(_ piece: Piece?, position: Int64, cause: String) {
        change(
            where: { (piece == nil || $0.piece == piece) && ($0.status == .waiting || $0.status == .parked) },
            by: { row in
                row.status = .withdrawn
                row.settledPosition = position
                row.cause = cause
            })
    }
}
