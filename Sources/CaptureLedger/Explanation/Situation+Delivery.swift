import DeliveryMachine
package import Outbox
import SessionDomain

extension Situation {
    /// Of a delivery.
    package init(_ row: DeliveryRow, _ around: DeliverySurroundings, now: Int64) {
        switch row.status {
        case .verified:
            self.init(
                "It was verified.", since: around.settledAtMilliseconds, next: "Nothing is left to do.", .nobody)
        case .rejected:
            self.init(
                "The verifier rejected it (\(Self.plain(row.cause ?? "rejected"))).", since: around.settledAtMilliseconds,
                next: "The piece must be captured again.", .user, Self.captureAgain(row))
        case .withdrawn:
            self.init(
                "It was withdrawn: \(Self.withdrawal(row.cause)).", since: around.settledAtMilliseconds,
                next: "Nothing is sent.", .nobody)
        case .parked: self = Self.parked(row, around)
        case .waiting: self = Self.waiting(row, around, now: now)
        }
    }

    private static func captureAgain(_ row: DeliveryRow) -> [String] {
        Piece(code: row.pieceCode).map { capturing($0, row.session) } ?? []
    }

    private static func parked(_ row: DeliveryRow, _ around: DeliverySurroundings) -> Situation {
        let cause = row.cause ?? "unknown"
        let why = "It was given up: \(Cause.sentence(cause))."
        let requeue = "sync requeue \(row.id.text)"
        switch cause {
        case ParkCause.mediaDestroyed.rawValue, ParkCause.mediaExpired.rawValue:
            return Situation(
                why, since: around.settledAtMilliseconds, next: "The piece must be captured again.", .user, captureAgain(row),
                code: cause)
        case ParkCause.keyReused.rawValue:
            return Situation(
                why, since: around.settledAtMilliseconds,
                next: "Nothing by itself. \(Cause.remedy(cause, destination: row.destination))", .operator,
                ["sync explain \(row.id.text)"], code: cause)
        default:
            return Situation(
                why, since: around.settledAtMilliseconds,
                next:
                    "Nothing, until a person removes the cause and runs \(requeue). \(Cause.remedy(cause, destination: row.destination))",
                .operator, [requeue], code: cause)
        }
    }

    private static func waiting(_ row: DeliveryRow, _ around: DeliverySurroundings, now: Int64) -> Situation {
        if let blocked = row.blocked { return blockedBy(blocked, row) }
        if let since = around.sessionPausedAtMilliseconds {
            let resume = "sync resume --session \(row.session.text)"
            return Situation(
                "It waits: a person paused its session at \(TimeText.utc(since)).", since: since,
                next: "Nothing, until a person runs \(resume).", .operator, [resume])
        }
        if row.destination == CaptureConfiguration.host { return forHost(row) }
        guard let hold = Hold(row, around.entry, now: now) else {
            return Situation(
                row.explanation.map { "The last attempt: \(Cause.sentence($0))." } ?? "It was not tried yet.",
                since: around.lastAttemptAtMilliseconds ?? row.confirmedAtMilliseconds,
                next: "Due now: the next sync sends it.",
                at: now, .worker, ["sync"], code: row.explanation)
        }
        let destination = row.destination
        switch hold.code {
        case "not_due":
            return Situation(
                "It \(hold.why).", since: around.lastAttemptAtMilliseconds ?? row.confirmedAtMilliseconds,
                next: "The first sync at or after that time tries again.", at: row.nextAttemptAtMilliseconds, .worker,
                ["sync requeue \(row.id.text)"], code: row.explanation)
        case "breaker":
            return Situation(
                "It waits: \(hold.why).", since: around.lastAttemptAtMilliseconds ?? row.confirmedAtMilliseconds,
                next: "One delivery goes through then, to see whether it works again.",
                at: around.entry?.state.breaker?.untilMilliseconds, .worker,
                code: around.entry?.state.breaker?.reason.rawValue)
        case Cause.noDestination:
            return Situation(
                "It waits: \(hold.why).", since: row.confirmedAtMilliseconds,
                next: Cause.remedy(Cause.noDestination, destination: destination), .operator, ["config check"], code: hold.code)
        default:
            let pause = around.entry?.state.pause
            let probe = pause?.probeAtMilliseconds
            let remedy = Cause.remedy(hold.code, destination: destination)
            return Situation(
                "It waits: \(hold.why).", since: pause?.sinceMilliseconds,
                next: probe.map { "One delivery goes through at \(TimeText.utc($0)) to see. \(remedy)" } ?? remedy, at: probe,
                .operator, pauseCommands(hold.code, destination), code: hold.code)
        }
    }

    /// What helps against a pause; a credential lifts its own.
    static func pauseCommands(_ reason: String, _ destination: String) -> [String] {
        switch reason {
        case OutboxWriter.pausedByOperator.rawValue: ["sync resume \(destination)"]
        case Explanation.unauthorized.rawValue: ["config check", "sync probe \(destination)"]
        case Explanation.credentialUnavailable.rawValue: ["sync probe \(destination)", "config check"]
        default: ["sync probe \(destination)", "sync resume \(destination)"]
        }
    }

    private static func blockedBy(_ blocked: String, _ row: DeliveryRow) -> Situation {
        switch blocked {
        case DeliveryFold.waitsForChecks:
            Situation(
                "It was confirmed and waits for its checks, which come before it is sent.", since: row.confirmedAtMilliseconds,
                next: "When it passes it is sent; when it fails the piece must be captured again.", .operator,
                ["check --pending"])
        case DeliveryFold.waitsForTransaction:
            Situation(
                "It waits for the hologram's transaction, which this session does not know yet.",
                since: row.confirmedAtMilliseconds, next: "It is sent once its transaction is bound.", .host,
                ["hologram bind \(row.session.text) --transaction-id T"], code: "transaction_missing")
        default:
            Situation(
                "It waits for the \(plain(blocked)).", since: row.confirmedAtMilliseconds, next: "Then it is sent.", .host)
        }
    }

    private static func forHost(_ row: DeliveryRow) -> Situation {
        let isLater = row.nextAttemptAtMilliseconds.map { $0 > row.confirmedAtMilliseconds } ?? false
        return Situation(
            row.explanation.map { "The host's own verifier decides it; its last try: \(Cause.sentence($0))." }
                ?? "It waits for the verifier in the host's program.",
            since: row.confirmedAtMilliseconds, next: "The host's program verifies it while it runs; no sync sends it.",
            at: isLater ? row.nextAttemptAtMilliseconds : nil, .host)
    }

    private static func withdrawal(_ cause: String?) -> String {
        switch cause {
        case "superseded": "a newer capture took its place"
        case "retaken": "the capture was set aside"
        case "cancelled": "the session was cancelled"
        case "expired": "the session expired"
        case "erased": "the session was erased"
        case DeliveryFold.failedChecks: "it failed the checks that came after it was confirmed"
        case let other?: plain(other)
        case nil: "the session is over"
        }
    }

    static func plain(_ code: String) -> String { code.replacing("_", with: " ") }
}
