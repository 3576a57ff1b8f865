package import SessionDomain

/// The numbers of the outcome column. A number is never given to another outcome.
package enum OutcomeCode: Int, Hashable, Sendable, CaseIterable {
    case verified = 1
    case rejected = 2
    case failed = 3
    case parked = 4
    case checksPassed = 5
    case checksFailed = 6
    case exitBeforeAnyCapture = 11
    case exitAfterRefusal = 12
    case exitAfterRejection = 13
    case exitWhileCapturing = 14
    case exitWhileWaiting = 15

    package var name: String {
        switch self {
        case .verified: "verified"
        case .rejected: "rejected"
        case .failed: "failed"
        case .parked: "parked"
        case .checksPassed: "checks_passed"
        case .checksFailed: "checks_failed"
        case .exitBeforeAnyCapture: "before_any_capture"
        case .exitAfterRefusal: "after_refusal"
        case .exitAfterRejection: "after_rejection"
        case .exitWhileCapturing: "while_capturing"
        case .exitWhileWaiting: "while_waiting"
        }
    }

    package init(_ exitClass: ExitClass) {
        self =
            switch exitClass {
            case .beforeAnyCapture: .exitBeforeAnyCapture
            case .afterRefusal: .exitAfterRefusal
            case .afterRejection: .exitAfterRejection
            case .whileCapturing: .exitWhileCapturing
            case .whileWaiting: .exitWhileWaiting
            }
    }

    var exitClass: ExitClass? {
        switch self {
        case .exitBeforeAnyCapture: .beforeAnyCapture
        case .exitAfterRefusal: .afterRefusal
        case .exitAfterRejection: .afterRejection
        case .exitWhileCapturing: .whileCapturing
        case .exitWhileWaiting: .whileWaiting
        case .verified, .rejected, .failed, .parked, .checksPassed, .checksFailed: nil
        }
    }
}
