import EventStorage
import Outbox
import Projections
import SessionDomain

/// What became of a session's captures, and since which event: what retention rules are held against.
struct AgedCaptures {
    struct Capture {
        let capture: CaptureID
        let piece: Piece
        let bytes: Int64
        let commitment: Digest256
        var isPurged = false
        var marks: [RetentionRule.Status: Mark] = [:]
    }

    struct Mark {
        let position: Int64
        let recordedAtMilliseconds: Int64
    }

    private(set) var captures: [Capture] = []
    private(set) var isErased = false
    private var ending: (status: RetentionRule.Status, mark: Mark)?

    /// Reads a session's events in order.
    init(session number: Int64, _ reader: EventReader, _ configurations: ConfigurationCache) throws(StorageError) {
        var reading = Self()
        try reader.forEachEvent(ofSession: number) { (stored) throws(StorageError) in
            if let event = try configurations.decode(stored.encoded) {
                reading.take(
                    event, Mark(position: stored.position, recordedAtMilliseconds: stored.recordedAtMilliseconds))
            }
            return true
        }
        self = reading
    }

    private init() {}

    private mutating func take(_ event: SessionEvent, _ mark: Mark) {
        switch event {
        case .pieceCaptured(let event):
            for index in captures.indices where captures[index].piece == event.piece { note(.superseded, mark, at: index) }
            captures.append(
                Capture(
                    capture: event.captureID, piece: event.piece, bytes: event.media.bytes, commitment: event.commitment,
                    marks: [.any: mark]))
        case .pieceRetaken(let event): note(.superseded, mark, of: event.captureID)
        case .pieceChecked(let event) where event.failure != nil: note(.failedChecks, mark, of: event.captureID)
        case .pieceVerified(let event): note(.verified, mark, of: event.captureID)
        case .pieceRejected(let event): note(.rejected, mark, of: event.captureID)
        case .pieceDeliveryParked(let event): note(.parked, mark, of: event.captureID)
        case .pieceDeliveryRequeued(let event): forget(.parked, of: event.captureID)
        case .mediaPurged(let event):
            for index in captures.indices where captures[index].capture == event.captureID { captures[index].isPurged = true }
        case .sessionCompleted: ending = (.completed, mark)
        case .sessionExited: ending = (.exited, mark)
        case .sessionExpired: ending = (.expired, mark)
        case .sessionCancelled: ending = (.cancelled, mark)
        case .sessionResumed: ending = nil
        case .sessionErased: isErased = true
        case .sessionStarted, .sessionSuspended, .captureRefused, .pieceChecked, .pieceConfirmed, .pendingPiecesDropped,
            .hologramRecordingStarted, .hologramRecordingCancelled, .guidanceObserved, .interactionRecorded,
            .hologramTransactionBound:
            break
        }
    }

    /// The first of its kind counts: a second answer does not make an original younger.
    private mutating func note(_ status: RetentionRule.Status, _ mark: Mark, at index: Int) {
        if captures[index].marks[status] == nil { captures[index].marks[status] = mark }
    }

    private mutating func note(_ status: RetentionRule.Status, _ mark: Mark, of capture: CaptureID) {
        for index in captures.indices where captures[index].capture == capture { note(status, mark, at: index) }
    }

    private mutating func forget(_ status: RetentionRule.Status, of capture: CaptureID) {
        for index in captures.indices where captures[index].capture == capture { captures[index].marks[status] = nil }
    }

    /// The status by which a rule takes the capture; nil while none does.
    ///
    /// - Parameter age: of an event, in milliseconds, without what the clock jumped meanwhile.
    func due(_ capture: Capture, _ rules: [RetentionRule], age: (Mark) -> Int64) -> RetentionRule.Status? {
        if capture.isPurged || isErased { return nil }
        for rule in rules where rule.piece == nil || rule.piece == capture.piece {
            let mark = capture.marks[rule.status] ?? (ending?.status == rule.status ? ending?.mark : nil)
            if let mark, age(mark) >= rule.ageMilliseconds { return rule.status }
        }
        return nil
    }
}
