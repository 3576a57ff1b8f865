import DeliveryMachine
package import Outbox
import SessionDomain

/// Why a delivery would not be sent now.
package struct Hold: Hashable, Sendable {
    package let code: String
    package let why: String
    /// The pause lets one delivery through to see whether it is over.
    package var letsOneThrough = false

    package init(_ code: String, _ why: String) {
        self.code = code
        self.why = why
    }

    package init?(_ row: DeliveryRow, _ entry: DeliveryStanding.Entry?, now: Int64) {
        if let blocked = row.blocked {
            self.init(blocked, "waits for the \(blocked.replacing("_", with: " "))")
        } else if entry?.isConfigured != true {
            self.init(Cause.noDestination, Cause.sentence(Cause.noDestination))
        } else if let pause = entry?.state.pause {
            self.init(pause.reason.rawValue, "\(row.destination) is paused: \(Cause.sentence(pause.reason.rawValue))")
            letsOneThrough = pause.probeAtMilliseconds.map { $0 <= now } ?? false
        } else if let breaker = entry?.state.breaker, breaker.untilMilliseconds > now {
            let why = breaker.reason == .throttled ? "asks for fewer requests" : "keeps failing"
            self.init("breaker", "\(row.destination) \(why) and is left alone until \(TimeText.utc(breaker.untilMilliseconds))")
        } else if let next = row.nextAttemptAtMilliseconds, next > now {
            let why = row.explanation.map { Cause.sentence($0) } ?? "an earlier attempt"
            self.init("not_due", "is tried again at \(TimeText.utc(next)): \(why)")
        } else {
            return nil
        }
    }
}
