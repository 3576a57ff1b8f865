import DeliveryMachine
import EventStorage
import Outbox
import Projections
import SessionDomain
import Vault

/// A session in one reading: its state, where the moments that callbacks report lie, and what they hand over.
struct FlowSnapshot: Sendable {
    var state: FlowState
    var milestones = Milestones()
    /// When a delivery of it is due for a verifier of the host's; nil: none waits for one.
    var hostDueAt: Int64?
    var results: [Piece: CaptureResult] = [:]
    var payloads: [Piece: Payload] = [:]

    var isErased: Bool { state.ending == .erased }
}

/// Positions of the events that callbacks report; 0 where there is none.
struct Milestones: Hashable, Sendable {
    /// Where the last thing to capture was confirmed, the last time.
    var nothingLeft: Int64 = 0
    var completed: Int64 = 0
    var exited: Int64 = 0
}

extension Ledger {
    /// - Throws: `no_such_session`.
    func snapshot(of flow: SessionID) throws(LedgerError) -> FlowSnapshot {
        try read { (context) throws(LedgerError) in
            var reading = SnapshotReading()
            var row: EventReader.SessionRow?
            var deliveries: [DeliveryRow] = []
            try translated { () throws(StorageError) in
                row = try context.events.session(flow)
                guard let row, row.number != 0 else { return }
                try context.events.forEachEvent(ofSession: row.number) { (stored) throws(StorageError) in
                    reading.take(stored, try context.configurations.decode(stored.encoded))
                    return true
                }
                deliveries = try context.outbox.deliveries(ofSession: row.number)
            }
            guard let row, let view = FlowView(reading.fold.state) else { throw .noSession() }
            let waiting = deliveries.filter { $0.status == .waiting }
            let failed = waiting.filter { $0.explanation != nil }
            var message: String?
            if let rejected = view.currentPiece.flatMap({ reading.rejected[$0] }) {
                message = secret(of: rejected, session: flow, keyNumber: row.keyNumber)?["reason"]?.asString
            } else if let last = failed.last {
                message = try lastMessage(of: last, context)
            }
            var snapshot = FlowSnapshot(
                state: FlowState(
                    view, flow, message: message, nextAttempt: failed.compactMap(\.nextAttemptAtMilliseconds).min()),
                milestones: reading.milestones,
                hostDueAt: waiting.filter { $0.destination == CaptureConfiguration.host && $0.blocked == nil }.map {
                    $0.nextAttemptAtMilliseconds ?? 0
                }.min())
            for (piece, stored) in reading.verified {
                guard let captured = reading.captured[piece] else { continue }
                snapshot.results[piece] = CaptureResult(captured, fields: reading.fields[piece], in: flow, of: self)
                if let payload = secret(of: stored, session: flow, keyNumber: row.keyNumber)?["payload"]?.asString {
                    snapshot.payloads[piece] = Payload(json: .init(payload.utf8))
                }
            }
            return snapshot
        }
    }

    /// What a verifier said when it could not decide, from the archived answer.
    private func lastMessage(of delivery: DeliveryRow, _ context: ReadContext) throws(LedgerError) -> String? {
        let last = try translated { () throws(StorageError) in
            try context.outbox.attempts(ofDelivery: delivery.number).last
        }
        guard let id = last?.evidenceID, let vault, let key = try? sessionKey(delivery.session),
            let reader = try? vault.read(.evidence, ObjectID(id), key: key), reader.byteCount <= 64 << 10,
            let bytes = try? reader.read(at: 0, limit: Int(reader.byteCount)),
            let body = bytes.firstRange(of: Array("\r\n\r\n".utf8)),
            let answer = try? JSONValue.parse(Array(bytes[body.upperBound...]))
        else { return nil }
        return answer["message"]?.asString
    }
}

/// The fold of a session that also remembers where its moments lie.
private struct SnapshotReading {
    var fold = SessionFold()
    var milestones = Milestones()
    /// By piece, the capture that counts.
    var captured: [Piece: PieceCaptured] = [:]
    var verified: [Piece: StoredEvent] = [:]
    var rejected: [Piece: StoredEvent] = [:]
    /// What the checks measured, of the capture that counts.
    var fields: [Piece: FieldDetections] = [:]
    private var needsCapture = true

    mutating func take(_ stored: StoredEvent, _ event: SessionEvent?) {
        fold.apply(event, position: stored.position, recordedAtMilliseconds: stored.recordedAtMilliseconds)
        guard let event else { return }
        switch event {
        case .pieceCaptured(let event):
            captured[event.piece] = event
            rejected[event.piece] = nil
            fields[event.piece] = nil
        case .pieceChecked(let event) where !event.late: fields[event.piece] = event.fields
        case .pieceVerified(let event) where !event.late: verified[event.piece] = stored
        case .pieceRejected(let event) where !event.late:
            rejected[event.piece] = stored
            verified[event.piece] = nil
        case .sessionCompleted: milestones.completed = stored.position
        case .sessionExited: milestones.exited = stored.position
        case .sessionResumed: milestones.exited = 0
        default: break
        }
        let state = fold.state
        if state.status.isOpen {
            let needs = state.order.contains { state.pieces[$0].status.needsCapture || state.pieces[$0].status == .captured }
            if needsCapture, !needs { milestones.nothingLeft = stored.position }
            needsCapture = needs
        } else if state.status == .completed, needsCapture {
            milestones.nothingLeft = stored.position
            needsCapture = false
        }
    }
}

extension FlowState {
    init(_ view: FlowView, _ session: SessionID, message: String?, nextAttempt: Int64?) {
        self.init(
            sessionID: session.text, phase: Phase(view.phase), ending: Ending(rawValue: view.status.rawValue),
            currentPiece: view.currentPiece, remainingPieces: view.pieces.filter { $0.status != .dropped }.map(\.piece),
            piecesToReview: view.pieces.filter { $0.status == .captured }.map(\.piece), progress: Progress(view.progress),
            lastFailure: view.lastFailure, lastMessage: message,
            nextAttempt: nextAttempt.map { .init(timeIntervalSince1970: Double($0) / 1000) }, version: view.version)
    }
}

extension FlowState.Phase {
    fileprivate init(_ phase: FlowView.Phase) {
        self =
            switch phase {
            case .capturing: .capturing
            case .waitingForVerification: .waitingForVerification
            case .needsRecapture: .needsRecapture
            case .finished: .finished
            }
    }
}

extension FlowState.Progress {
    fileprivate init(_ progress: FlowView.Progress) {
        self =
            switch progress {
            case .segments(let count, let filled): .segments(count: count, filled: filled)
            case .steps(let count, let filled): .steps(count: count, filled: filled)
            case .fraction(let fraction): .fraction(fraction)
            case .hidden: .hidden
            }
    }
}

extension Ledger {
    /// What a verifier is given.
    func result(of claim: ClaimedDelivery) throws(LedgerError) -> CaptureResult {
        let fields = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var fields: FieldDetections?
                guard let row = try context.events.session(claim.session) else { return fields }
                try context.events.forEachEvent(ofSession: row.number) { (stored) throws(StorageError) in
                    guard stored.encoded.captureID == claim.capture.uuid else { return true }
                    switch try context.configurations.decode(stored.encoded) {
                    case .pieceCaptured(let captured): fields = captured.fields
                    case .pieceChecked(let checked): fields = checked.fields ?? fields
                    default: break
                    }
                    return true
                }
                return fields
            }
        }
        return CaptureResult(
            ledger: self, session: claim.session, capture: claim.capture, piece: claim.piece, source: claim.source,
            attempt: claim.captureAttempt, fieldDetections: fields)
    }
}
