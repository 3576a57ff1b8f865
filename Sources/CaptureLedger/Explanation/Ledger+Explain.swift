import EventCoding
import EventStorage
package import Outbox
import Projections
import SQLite
import SchemaFiles
package import SessionDomain

/// Why a session is where it is, and each of its pieces.
package struct SessionExplanation: Sendable {
    package let view: SessionView
    package let situation: Situation
    /// In the order of capture.
    package let pieces: [(view: FlowView.PieceView, situation: Situation)]
    /// What holds whatever the pieces say: it is erased, about to be, or from a newer version.
    let overall: Situation?
}

/// Why a capture is where it is.
package struct CaptureExplanation: Sendable {
    package let session: SessionID
    package let piece: Piece
    package let capture: CaptureID
    package let capturedAtMilliseconds: Int64
    /// No newer capture of the piece took its place.
    package let isLatest: Bool
    package let situation: Situation
}

/// Why a delivery is where it is.
package struct DeliveryExplanation: Sendable {
    package let row: DeliveryRow
    package let attempts: [AttemptRow]
    package let around: DeliverySurroundings
    package let situation: Situation
}

package enum Explained: Sendable {
    case session(SessionExplanation)
    case capture(CaptureExplanation)
    case delivery(DeliveryExplanation)
}

extension Ledger {
    /// Why the session, delivery or capture of that id is where it is; nil where there is none.
    package func explain(_ id: UUID128) throws(LedgerError) -> Explained? {
        if let session = try explanation(of: SessionID(id)) { return .session(session) }
        if let row = try delivery(DeliveryID(id)) { return .delivery(try explanation(of: row)) }
        return try explanation(of: CaptureID(id)).map { .capture($0) }
    }

    package func explanation(of row: DeliveryRow) throws(LedgerError) -> DeliveryExplanation {
        let attempts = try attempts(of: row)
        var around = Surroundings(of: self).of(row)
        around.lastAttemptAtMilliseconds = attempts.last?.finishedAtMilliseconds
        if let position = row.settledPosition {
            around.settledAtMilliseconds = try events(after: position - 1, limit: 1).first?.recordedAtMilliseconds
        }
        let now = clock.nowMilliseconds()
        var situation = Situation(row, around, now: now)
        if row.status == .waiting || row.status == .parked, let overall = try explanation(of: row.session)?.overall {
            situation = overall
        }
        return DeliveryExplanation(row: row, attempts: attempts, around: around, situation: situation)
    }

    /// nil where there is no such session.
    package func explanation(of id: SessionID) throws(LedgerError) -> SessionExplanation? {
        guard let told = try story(of: id) else { return nil }
        let view = try session(id)
        let situations = Dictionary(told.standing.pieces.map { ($0.piece, $0.situation) }) { $1 }
        return SessionExplanation(
            view: view, situation: Situation(told.standing),
            pieces: view.flow.pieces.compactMap { piece in situations[piece.piece].map { (piece, $0) } },
            overall: told.standing.overall)
    }

    private func explanation(of capture: CaptureID) throws(LedgerError) -> CaptureExplanation? {
        guard let event = try captured(capture), let piece = event.piece.flatMap(Piece.init(rawValue:)),
            let told = try story(of: event.session)
        else { return nil }
        let isLatest = told.standing.state.pieces[piece].captureID == capture
        let current = isLatest ? told.standing.pieces.first { $0.piece == piece }?.situation : nil
        let situation =
            told.standing.overall ?? current
            ?? Situation(
                "A newer capture of \(piece.rawValue) took its place.", since: told.replaced[capture],
                next: "Nothing is done with it.",
                .nobody)
        return CaptureExplanation(
            session: event.session, piece: piece, capture: capture, capturedAtMilliseconds: event.recordedAtMilliseconds,
            isLatest: isLatest, situation: situation)
    }
}

/// A session as its events tell it, with the times at which things came to be as they are.
private struct Story {
    var standing: SessionStanding
    /// When a capture was replaced by the next one.
    var replaced: [CaptureID: Int64] = [:]
}

extension Ledger {
    private func story(of id: SessionID) throws(LedgerError) -> Story? {
        let surroundings = Surroundings(of: self)
        let now = clock.nowMilliseconds()
        return try read { (context) throws(LedgerError) -> Story? in
            try translated { () throws(StorageError) in
                guard let row = try context.events.session(id), row.number != 0 else { return nil }
                var (fold, times, since) = (SessionFold(), [Int64: Int64](), [Piece: Int64]())
                var (replaced, changedAt): ([CaptureID: Int64], Int64) = ([:], 0)
                try context.events.forEachEvent(ofSession: row.number) { (stored) throws(StorageError) in
                    let before = fold.state
                    let event = try context.configurations.decode(stored.encoded)
                    fold.apply(event, position: stored.position, recordedAtMilliseconds: stored.recordedAtMilliseconds)
                    times[stored.position] = stored.recordedAtMilliseconds
                    let after = fold.state
                    for piece in Piece.allCases where !before.pieces[piece].stands(as: after.pieces[piece]) {
                        since[piece] = stored.recordedAtMilliseconds
                    }
                    if case .pieceCaptured(let captured) = event, let older = before.pieces[captured.piece].captureID {
                        replaced[older] = stored.recordedAtMilliseconds
                    }
                    if before.status != after.status || before.isErased != after.isErased || event == nil {
                        changedAt = stored.recordedAtMilliseconds
                    }
                    return true
                }
                var standing = SessionStanding(id, fold.state)
                standing.sinceMilliseconds = changedAt
                standing.erasure = try context.erasureWindow(ofSession: row.number)
                standing.expiresAtMilliseconds = try context.flows.row(ofSession: row.number)?.expiresAtMilliseconds
                let deliveries = try context.outbox.deliveries(ofSession: row.number)
                standing.pieces = try fold.state.order.map { (piece) throws(StorageError) in
                    var place = PieceStanding(piece, of: id, fold.state)
                    place.sinceMilliseconds = since[piece]
                    if let delivery = deliveries.last(where: { $0.capture == fold.state.pieces[piece].captureID }) {
                        var around = surroundings.of(delivery)
                        around.settledAtMilliseconds = delivery.settledPosition.flatMap { times[$0] }
                        around.lastAttemptAtMilliseconds =
                            try context.outbox.attempts(ofDelivery: delivery.number).last?.finishedAtMilliseconds
                        place.delivery = Situation(delivery, around, now: now)
                    }
                    return (piece, standing.overall ?? Situation(place))
                }
                return Story(standing: standing, replaced: replaced)
            }
        }
    }
}

extension PieceState {
    /// Whether nothing has changed of what people see.
    fileprivate func stands(as other: PieceState) -> Bool {
        status == other.status && captureID == other.captureID && failure == other.failure && isChecked == other.isChecked
            && parkCause == other.parkCause
    }
}

extension ReadContext {
    /// nil without a request, or in a ledger whose schema is older.
    func erasureWindow(ofSession number: Int64) throws(StorageError) -> ErasureWindow? {
        guard try Migrator.schema(of: connection).version >= 3 else { return nil }
        return try stored { () throws(SQLiteError) in
            let row = try Statement(connection, SchemaFiles.erasureWindowOfSession)
            row.bind(number, at: 1)
            guard try row.step() else { return nil }
            return ErasureWindow(requestedAtMilliseconds: row.int64(0), dueAtMilliseconds: row.int64(1))
        }
    }
}
