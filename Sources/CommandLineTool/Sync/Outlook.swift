import CaptureLedger
import DeliveryMachine
import Outbox
import SessionDomain

/// What comes next for a delivery, when, why, and whose turn it is.
struct Outlook {
    enum Who: String { case nobody, worker, host, `operator`, user }

    let next: String
    let atMilliseconds: Int64?
    let why: String
    let who: Who
    let section: String?
    private let destination: String

    init(_ row: DeliveryRow, _ entry: DeliveryStanding.Entry?, pausedSince: Int64?, now: Int64) {
        destination = row.destination
        var code: String?
        var at: Int64?
        switch row.status {
        case .verified: (next, why, who) = ("Nothing is left to do.", "It was verified.", .nobody)
        case .rejected:
            (next, why, who) = (
                "The piece must be captured again.", "The verifier rejected it (\(Words.plain(row.cause ?? "rejected"))).",
                .user
            )
        case .withdrawn:
            (next, why, who) = (
                "Nothing is sent.", "It was withdrawn: \(Words.plain(row.cause ?? "the session is over")).", .nobody
            )
        case .parked:
            code = row.cause
            (next, why, who) = (
                "Nothing, until a person removes the cause and runs sync requeue \(row.id.text).",
                "It was given up: \(Words.plain(row.cause ?? "unknown")).", .operator
            )
        case .waiting:
            if let pausedSince {
                (next, why, who) = (
                    "Nothing, until a person runs sync resume --session \(row.session.text).",
                    "A person paused its session at \(Words.time(pausedSince)).", .operator
                )
            } else if let hold = Hold(row, entry, now: now) {
                code = hold.code == "not_due" ? row.explanation : row.blocked == nil ? hold.code : nil
                why = "It \(row.blocked == nil && hold.code != "not_due" ? "waits: " : "")\(hold.why)."
                let pause = entry?.state.pause
                switch hold.code {
                case "not_due":
                    at = row.nextAttemptAtMilliseconds
                    (next, who) = (row.nextStep(now: now), .worker)
                case "breaker":
                    at = entry?.state.breaker?.untilMilliseconds
                    (next, who) = ("One delivery goes through then, to see whether it works again.", .worker)
                case Cause.noDestination: (next, who) = (Cause.remedy(code ?? "", destination: row.destination), .operator)
                case DeliveryFold.waitsForChecks: (next, who) = (row.nextStep(now: now), .operator)
                case _ where row.blocked != nil: (next, who) = (row.nextStep(now: now), .host)
                case _ where pause?.probeAtMilliseconds != nil:
                    at = pause?.probeAtMilliseconds
                    (next, who) = (
                        "One delivery goes through at \(Words.time(at ?? now)) to see. \(Cause.remedy(hold.code, destination: row.destination))",
                        .operator
                    )
                default: (next, who) = (Cause.remedy(hold.code, destination: row.destination), .operator)
                }
            } else {
                at = now
                code = row.explanation
                (next, who) = ("Due now: the next sync sends it.", .worker)
                why = row.explanation.map { "The last attempt: \(Cause.sentence($0))." } ?? "It was not tried yet."
            }
        }
        atMilliseconds = at
        section = code.map { Runbook.section($0) }
    }

    func words(of pause: DestinationPause) -> String {
        "\(destination) is paused since \(Words.time(pause.sinceMilliseconds)): \(Cause.sentence(pause.reason.rawValue)). "
            + (pause.probeAtMilliseconds.map { "It is tried again at \(Words.time($0))." }
                ?? Cause.remedy(pause.reason.rawValue, destination: destination))
    }
}
