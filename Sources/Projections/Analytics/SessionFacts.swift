package import SessionDomain

/// What analytics.sqlite says about one session: its rows in every table of facts.
package struct SessionFacts: Hashable, Sendable {
    /// When a stage was first reached.
    package struct Moment: Hashable, Sendable {
        package let position: Int64
        package let atMilliseconds: Int64
    }

    package enum Stage: Sendable { case captured, checked, confirmed, verified }

    /// Each of what reached it first.
    package struct Stages: Hashable, Sendable {
        package private(set) var captured: Moment?
        package private(set) var checked: Moment?
        package private(set) var confirmed: Moment?
        package private(set) var verified: Moment?

        mutating func reach(_ stage: Stage, _ now: Moment) {
            switch stage {
            case .captured: if captured == nil { captured = now }
            case .checked: if checked == nil { checked = now }
            case .confirmed: if confirmed == nil { confirmed = now }
            case .verified: if verified == nil { verified = now }
            }
        }
    }

    package struct PieceRow: Hashable, Sendable {
        package let piece: Piece
        package let ordinal: Int
        package var status = PieceStatus.pending
        package var attempts = 0
        package var refusals = 0
        package var stages = Stages()
        package var droppedPosition: Int64?
    }

    package struct CaptureRow: Hashable, Sendable {
        package let moment: Moment
        package let capture: CaptureID
        package let piece: Piece
        package let attempt: Int
        package let source: CaptureSource
        package var checked: Moment?
        package var checksPassed: Bool?
        package var confirmed: Moment?
        package var destination: String?
        package var answered: Moment?
        package var answer: AnalyticsCode.Answer?
        /// Of a rejection or a delivery that gave up; a row of `refusal` has it too.
        package var answerReason: String?
        package var requests: Int?
        package var score: Double?
        package var takenBackPosition: Int64?
        package var purgedPosition: Int64?
    }

    package struct RefusalRow: Hashable, Sendable {
        package let moment: Moment
        package let piece: Piece
        package let origin: AnalyticsCode.Origin
        package let reason: String
        package let isLate: Bool
        package let capturePosition: Int64?
    }

    package struct FindingRow: Hashable, Sendable {
        package let position: Int64
        package let number: Int
        package let capturePosition: Int64?
        package let piece: Piece
        package let finding: Finding
        /// Its own, or that of its judgement.
        package let policyVersion: String?
    }

    package struct GuidanceRow: Hashable, Sendable {
        package let moment: Moment
        package let number: Int
        package let piece: Piece
        package let hint: String
        package let isOnTarget: Bool?
        package let recording: Int?
        package let target: Int?
    }

    package struct RecordingRow: Hashable, Sendable {
        package let moment: Moment
        package let recording: Int
        package var ended: Moment?
        package var endedBy: String?
        package var targets = 0
        package var isFaceSeen = false
    }

    package struct InteractionRow: Hashable, Sendable {
        package let moment: Moment
        package let piece: Piece?
        package let interaction: String
    }

    package struct EndRow: Hashable, Sendable {
        package let moment: Moment
        package let outcome: AnalyticsCode.Outcome
        package let exitClass: ExitClass?
        package var resumed: Moment?
    }

    /// nil for a session that never started: it has no rows.
    package var started: Moment?
    package var context: String?
    package var stages = Stages()
    package var outcome = AnalyticsCode.Outcome.capturing
    package var end: EndRow?
    package var stoppedPiece: Piece?
    package var stoppedStep: AnalyticsCode.Step?
    package var suspensions = 0
    package var erased: Moment?
    package var events: Int64 = 0
    package var last = Moment(position: 0, atMilliseconds: 0)

    package var pieces: [PieceRow] = []
    package var captures: [CaptureRow] = []
    package var refusals: [RefusalRow] = []
    package var findings: [FindingRow] = []
    package var guidance: [GuidanceRow] = []
    package var recordings: [RecordingRow] = []
    package var interactions: [InteractionRow] = []
    package var earlierEnds: [EndRow] = []

    package init() {}

    /// Begins with the next session, in the same memory.
    package mutating func removeAll() {
        (started, context, end, stoppedPiece, stoppedStep, erased) = (nil, nil, nil, nil, nil, nil)
        (stages, outcome, suspensions, events) = (Stages(), .capturing, 0, 0)
        pieces.removeAll(keepingCapacity: true)
        captures.removeAll(keepingCapacity: true)
        refusals.removeAll(keepingCapacity: true)
        findings.removeAll(keepingCapacity: true)
        guidance.removeAll(keepingCapacity: true)
        recordings.removeAll(keepingCapacity: true)
        interactions.removeAll(keepingCapacity: true)
        earlierEnds.removeAll(keepingCapacity: true)
    }

    /// Those that counted.
    package var refusalCount: Int { refusals.reduce(0) { $0 + ($1.isLate ? 0 : 1) } }
}
