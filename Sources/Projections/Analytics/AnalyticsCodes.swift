import EventCoding
package import SessionDomain

/// The codes of analytics.sqlite. A number is never given to anything else: other tools keep queries that name it.
package enum AnalyticsCode {
    /// What became of a session: every one has exactly one.
    package enum Outcome: Int, Hashable, Sendable, CaseIterable {
        case completed = 1
        case exited = 2
        case expired = 3
        case cancelled = 4
        /// Erased while it ran: it can never end in another way.
        case erased = 5

        // still running
        case capturing = 10
        case waitingForVerification = 11
        case needsRecapture = 12
        case suspended = 13

        package var isRunning: Bool { rawValue >= 10 }

        package var name: String {
            switch self {
            case .completed: "completed"
            case .exited: "exited"
            case .expired: "expired"
            case .cancelled: "cancelled"
            case .erased: "erased"
            case .capturing: "capturing"
            case .waitingForVerification: "waiting_for_verification"
            case .needsRecapture: "needs_recapture"
            case .suspended: "suspended"
            }
        }
    }

    /// What the piece at which a session stands waits for.
    package enum Step: Int, Hashable, Sendable, CaseIterable {
        case capture = 1
        case check = 2
        case confirmation = 3
        case answer = 4
        case parked = 5
        case recaptureAfterIntake = 6
        case recaptureAfterChecks = 7
        case recaptureAfterRejection = 8
        /// The media was destroyed before a verifier decided.
        case recaptureOfLostMedia = 9

        package var name: String {
            switch self {
            case .capture: "capture"
            case .check: "check"
            case .confirmation: "confirmation"
            case .answer: "answer"
            case .parked: "parked"
            case .recaptureAfterIntake: "recapture_after_intake"
            case .recaptureAfterChecks: "recapture_after_checks"
            case .recaptureAfterRejection: "recapture_after_rejection"
            case .recaptureOfLostMedia: "recapture_of_lost_media"
            }
        }
    }

    /// Who said no.
    package enum Origin: Int, Hashable, Sendable, CaseIterable {
        /// The media could not be taken in: no attempt counted.
        case intake = 1
        case checks = 2
        case verifier = 3
        /// The delivery gave up.
        case delivery = 4

        package var name: String {
            switch self {
            case .intake: "intake"
            case .checks: "checks"
            case .verifier: "verifier"
            case .delivery: "delivery"
            }
        }
    }

    /// What a destination said of a capture; the numbers are those of the events.
    package enum Answer: Int, Hashable, Sendable, CaseIterable {
        case verified = 1
        case rejected = 2
        case parked = 4

        package var name: String {
            switch self {
            case .verified: "verified"
            case .rejected: "rejected"
            case .parked: "parked"
            }
        }
    }

    /// Every code with its name, as `code_name` holds them.
    package static var names: [(kind: String, code: Int, name: String)] {
        var names: [(kind: String, code: Int, name: String)] = []
        names += Outcome.allCases.map { ("outcome", $0.rawValue, $0.name) }
        names += Step.allCases.map { ("step", $0.rawValue, $0.name) }
        names += Origin.allCases.map { ("origin", $0.rawValue, $0.name) }
        names += Answer.allCases.map { ("answer", $0.rawValue, $0.name) }
        names += Piece.allCases.map { ("piece", $0.code, $0.rawValue) }
        names += CaptureSource.allCases.map { ("source", $0.code, $0.rawValue) }
        names += PieceStatus.allCases.map { ("piece_status", $0.analyticsCode, $0.rawValue) }
        names += Finding.Direction.allCases.map { ("direction", $0.analyticsCode, $0.rawValue) }
        names += ExitClass.allCases.map { ("exit", $0.analyticsCode, $0.rawValue) }
        return names
    }
}

extension PieceStatus {
    package var analyticsCode: Int {
        switch self {
        case .absent: 0
        case .pending: 1
        case .captured: 2
        case .refusedByChecks: 3
        case .awaitingVerification: 4
        case .parked: 5
        case .mediaGone: 6
        case .rejected: 7
        case .verified: 8
        case .dropped: 9
        }
    }
}

extension Finding.Direction {
    package var analyticsCode: Int {
        switch self {
        case .atLeast: 1
        case .atMost: 2
        case .below: 3
        }
    }
}

extension ExitClass {
    /// As in the outcome column of the events.
    package var analyticsCode: Int { OutcomeCode(self).rawValue }
}
