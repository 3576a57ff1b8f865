import DeliveryMachine
import Testing

/// What one behaviour of a server must come to.
struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var kind = Destination.Kind.verifier
    /// What the warm-up delivery of a reused connection meets; nil: an honest server.
    var before: Step?
    /// One after the other, each once the delivery is due again; then the server heals.
    var steps: [Step]
    /// What differs on a connection that has carried a request before.
    var reused: [Expected]?
    /// What differs over TLS.
    var tls: [Expected]?
    /// What it comes to where a reset outruns the answer before it: nobody decides that race.
    var outrun: [Expected]?
    /// Bytes of the media.
    var size = 300
    /// The port that is wrong by itself; the honest one takes its place when the server heals.
    var port: String?
    /// Reuse makes no sense, as for an endpoint that never gets as far as a request.
    var isFreshOnly = false
    var path: String?
    var settings: @Sendable (inout TransferSettings) -> Void = { _ in }
    /// The answer that was applied is the server's own honest one, which names the submission.
    var hasOwnAnswer = true

    var testDescription: String { name }

    struct Step: Sendable {
        let behaviour: String
        var options = "{}"
        var times = 0
        var expected = Expected.yes
    }
}

/// The class, why, the next action, and what it cost.
struct Expected: Sendable, Hashable {
    enum Next: Hashable, Sendable {
        case applied
        case rejected
        /// At least so many seconds.
        case waits(Int64)
        case parks(ParkCause)
        case pauses
        /// Until a person acts.
        case disables
        case polls
    }

    var certainty: Certainty
    var why: Explanation
    var next: Next
    var attempts: Int

    init(_ certainty: Certainty, _ why: Explanation, _ next: Next, spent attempts: Int) {
        self.certainty = certainty
        self.why = why
        self.next = next
        self.attempts = attempts
    }

    static let yes = Expected(.answered, .verified, .applied, spent: 1)
    static let no = Expected(.answered, .rejected, .rejected, spent: 1)
    /// Assumed to have arrived.
    static let lost = Expected(.unknown, .answerLost, .waits(0), spent: 1)
    static let notSent = Expected(.notSent, .notConnected, .waits(0), spent: 0)
    static let untrusted = Expected(.notSent, .untrusted, .pauses, spent: 0)
    static let handshake = Expected(.notSent, .handshakeFailed, .waits(0), spent: 0)
    static let accepted = Expected(.answered, .accepted, .polls, spent: 0)

    /// A 2xx outside the contract.
    static func broken(_ why: Explanation) -> Expected { Expected(.answered, why, .waits(0), spent: 1) }
    static func retries(_ why: Explanation, atLeast seconds: Int64 = 0) -> Expected {
        Expected(.answered, why, .waits(seconds), spent: 1)
    }
    static func parks(_ cause: ParkCause, _ why: Explanation) -> Expected {
        Expected(.answered, why, .parks(cause), spent: 1)
    }
    static func pauses(_ why: Explanation) -> Expected { Expected(.answered, why, .pauses, spent: 0) }
}
