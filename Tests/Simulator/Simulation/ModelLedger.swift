package import DeliveryMachine
package import SessionDomain

/// The ledger as far as delivery goes, in memory: sessions that the real decider decides on, what follows from their events
/// for the deliveries, and the work on them. `QueueConformanceTests` runs the same operations on this and on the stored queue.
package final class ModelLedger {
    package enum Status: Int, Sendable {
        case waiting = 1
        case verified, rejected, parked, withdrawn
    }

    package struct Delivery {
        package let id: DeliveryID
        package let session: Int
        package let piece: Piece
        package let capture: CaptureID
        package let captureAttempt: Int
        package let source: CaptureSource
        package let media: MediaDescription
        package let rotation: Int
        package let ordinal: Int
        package let destination: DestinationName
        package let isStrict: Bool
        package let confirmedAt: Int64
        package var status = Status.waiting
        /// A hologram that has no transaction yet (S89).
        package var isBlocked: Bool

        // the work on it
        package var claims = 0
        package var fence: Int64 = 0
        package var holder: Int?
        package var nextAttemptAt: Int64 = 0
        package var work = DeliveryWork()
        package var frozen: FrozenBody?
        /// Answers of the endpoint that were taken in.
        package var outcomes = 0
        package var isMediaDestroyed = false
    }

    package struct Session {
        package let id: SessionID
        package fileprivate(set) var state = SessionState.initial
        package var transactionID: String?
        package fileprivate(set) var deliveries: [Int] = []
    }

    package struct Capture {
        package let capture: CapturePiece
        package let sha256: [UInt8]
    }

    package private(set) var sessions: [Session] = []
    package internal(set) var deliveries: [Delivery] = []
    package internal(set) var destinations: [DestinationName: DestinationState] = [:]
    /// Deliveries that wait, in order of position.
    var open: [Int] = []
    private var numbers: [DeliveryID: Int] = [:]
    private var captures: [CaptureID: (event: PieceCaptured, sha256: [UInt8])] = [:]

    /// The one derivation of a delivery's id, which is its key.
    private let deliveryID: (SessionID, CaptureID, String) -> DeliveryID
    /// Whether the kernel still holds this worker's lock.
    let isHolderAlive: (Int) -> Bool

    package init(
        deliveryID: @escaping (SessionID, CaptureID, String) -> DeliveryID, isHolderAlive: @escaping (Int) -> Bool
    ) {
        self.deliveryID = deliveryID
        self.isHolderAlive = isHolderAlive
    }

    package func number(of delivery: DeliveryID) -> Int? { numbers[delivery] }

    /// A session that nobody started yet.
    package func addSession(_ id: SessionID) -> Int {
        sessions.append(Session(id: id))
        return sessions.count - 1
    }

    package func setTransaction(_ text: String, of session: Int) { sessions[session].transactionID = text }

    /// Decides, folds, and lets the deliveries follow: one transaction.
    @discardableResult
    package func perform(
        _ command: SessionCommand, in session: Int, now: Int64, sha256: [UInt8] = []
    ) throws(Rejection) -> [SessionEvent] {
        let decided = try SessionDecider.decide(command, sessions[session].state, now: now)
        for step in decided {
            if case .pieceCaptured(let event) = step.event { captures[event.captureID] = (event, sha256) }
            sessions[session].state.apply(step.event)
            follow(step.event, session, now)
        }
        return decided.map(\.event)
    }

    // MARK: what follows from an event

    private func follow(_ event: SessionEvent, _ session: Int, _ now: Int64) {
        switch event {
        case .pieceConfirmed(let event): add(event, session)
        case .pieceCaptured(let event):
            if event.supersedes != nil { withdraw(session) { $0.piece == event.piece } }
        case .pieceRetaken(let event): withdraw(session) { $0.piece == event.piece }
        case .pieceVerified(let event): settle(event.captureID, session, .verified, late: event.late)
        case .pieceRejected(let event): settle(event.captureID, session, .rejected, late: event.late)
        case .pieceDeliveryParked(let event): settle(event.captureID, session, .parked, late: event.late)
        case .pieceDeliveryRequeued(let event):
            change(session) {
                if $0.capture == event.captureID, $0.status == .parked { $0.status = .waiting }
            }
        case .hologramTransactionBound: change(session) { $0.isBlocked = false }
        case .sessionCancelled, .sessionExpired: withdraw(session) { _ in true }
        case .sessionErased:
            withdraw(session) { _ in true }
            change(session) {
                $0.frozen = nil
                $0.work.statusAddress = nil
            }
        default: break
        }
    }

    private func add(_ event: PieceConfirmed, _ session: Int) {
        guard let capture = captures[event.captureID] else { preconditionFailure("a confirmed piece was captured") }
        let state = sessions[session].state
        let facts = capture.event.media
        let delivery = Delivery(
            id: deliveryID(sessions[session].id, event.captureID, event.destination), session: session, piece: event.piece,
            capture: event.captureID, captureAttempt: capture.event.attempt ?? 1, source: capture.event.source,
            media: MediaDescription(
                type: facts.type, bytes: facts.bytes, width: facts.width, height: facts.height, sha256: capture.sha256),
            rotation: capture.event.rotation ?? 0, ordinal: state.order.firstIndex(of: event.piece) ?? 0,
            destination: DestinationName(event.destination), isStrict: state.configuration?.value.ordering == .strict,
            confirmedAt: event.confirmedAtMilliseconds,
            isBlocked: event.piece == .hologram && state.transaction == nil)
        numbers[delivery.id] = deliveries.count
        sessions[session].deliveries.append(deliveries.count)
        open.append(deliveries.count)
        deliveries.append(delivery)
    }

    private func change(_ session: Int, _ body: (inout Delivery) -> Void) {
        for number in sessions[session].deliveries {
            let wasOpen = deliveries[number].status == .waiting
            body(&deliveries[number])
            let isOpen = deliveries[number].status == .waiting
            if wasOpen, !isOpen { open.removeAll { $0 == number } }
            if !wasOpen, isOpen { open.insert(number, at: open.firstIndex { $0 > number } ?? open.count) }
        }
    }

    private func withdraw(_ session: Int, _ isMeant: (Delivery) -> Bool) {
        change(session) { if $0.status == .waiting || $0.status == .parked, isMeant($0) { $0.status = .withdrawn } }
    }

    /// A late answer settles only what was not decided before.
    private func settle(_ capture: CaptureID, _ session: Int, _ status: Status, late: Bool) {
        change(session) {
            guard $0.capture == capture else { return }
            if !late || $0.status == .waiting || $0.status == .parked || $0.status == .withdrawn { $0.status = status }
        }
    }
}
