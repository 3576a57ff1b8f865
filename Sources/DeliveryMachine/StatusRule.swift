/// What a final status asks for, before its body is looked at.
package enum StatusAction: Hashable, Sendable {
    /// Read the answer and apply it.
    case apply
    /// Taken in; the outcome comes later from a status address.
    case poll
    case retry
    /// Retry, and leave the whole destination alone for as long as it says.
    case throttle
    case retryOnNewConnection
    case park(ParkCause)
    case pause(liftedByCredential: Bool)
    /// Pause until a person acts.
    case disable
}

/// A row of the table: a span of statuses, what to do, and a stable code that says why.
package struct StatusRule: Hashable, Sendable {
    package let statuses: ClosedRange<Int>
    package let action: StatusAction
    package let explanation: Explanation

    init(_ statuses: ClosedRange<Int>, _ action: StatusAction, _ explanation: Explanation) {
        self.statuses = statuses
        self.action = action
        self.explanation = explanation
    }

    init(_ status: Int, _ action: StatusAction, _ explanation: Explanation) {
        self.init(status...status, action, explanation)
    }
}
