import CaptureLedger
import SessionDomain

extension Need {
    func json(_ invocation: Invocation) -> JSONValue {
        let object: JSONValue = ["kind": .string(kind), "count": .whole(count)]
        return object.adding(situation, invocation)
    }

    /// Who, what and with which command.
    func lines(_ invocation: Invocation, now: Int64) -> [String] {
        let age = situation.sinceMilliseconds.map { " For \(Words.duration(max(0, now - $0)))." } ?? ""
        let next = situation.atMilliseconds.map { " Tried again by itself in \(Words.duration(max(0, $0 - now)))." } ?? ""
        return ["  \(situation.who.short): \(situation.why)\(age)\(next) \(situation.next)"]
            + situation.commands.map { "    \(invocation.commandLine($0))" }
    }
}

extension Situation.Who {
    fileprivate var short: String {
        switch self {
        case .user: "host's staff"
        case .host: "host"
        case .operator: "operator"
        case .worker, .nobody: "nobody"
        }
    }
}

extension Handover {
    var json: JSONValue {
        [
            "since_ms": .integer(sinceMilliseconds),
            "sessions": [
                "started": .whole(count("session_started")), "completed": .whole(count("session_completed")),
                "exited": .whole(count("session_exited")), "expired": .whole(count("session_expired")),
                "cancelled": .whole(count("session_cancelled")), "erased": .whole(count("session_erased")),
            ],
            "captured": .whole(count("piece_captured")), "verified": Self.counts(verified), "rejected": Self.counts(rejected),
            "refused": Self.counts(refused), "failed_checks": Self.counts(failedChecks), "parked": Self.counts(parked),
            "requeued": .whole(count("piece_delivery_requeued")),
            "errors": .array(
                troubles.map {
                    [
                        "destination": .string($0.destination), "code": .string($0.code), "count": .whole($0.count),
                        "last_at_ms": .integer($0.lastAtMilliseconds),
                    ]
                }),
            "pauses": .array(
                pauses.map {
                    [
                        "destination": .string($0.destination), "at_ms": .integer($0.atMilliseconds),
                        "reason": .string($0.reason), "resumed": .bool($0.isResumption),
                    ]
                }),
        ]
    }

    private static func counts(_ counts: [String: Int]) -> JSONValue {
        .members(counts.map { .init($0.key, .whole($0.value)) })
    }

    /// One line a matter; nothing is said of what did not happen.
    func words(now: Int64) -> String {
        var rows: [[String]] = []
        func add(_ what: String, _ text: String) { if !text.isEmpty { rows.append([what, text]) } }
        add(
            "sessions",
            Self.list([
                ("started", count("session_started")), ("completed", count("session_completed")),
                ("exited", count("session_exited")), ("expired", count("session_expired")),
                ("cancelled", count("session_cancelled")), ("erased", count("session_erased")),
            ]))
        add("captured", count("piece_captured") == 0 ? "" : Words.count(count("piece_captured"), "piece"))
        add("not taken in", Self.list(refused))
        add("failed checks", Self.list(failedChecks))
        add("verified", Self.list(verified))
        add("rejected", Self.list(rejected))
        add("given up", Self.list(parked))
        add(
            "tried again",
            count("piece_delivery_requeued") == 0 ? "" : Words.count(count("piece_delivery_requeued"), "delivery", "deliveries")
        )
        for trouble in troubles {
            add(
                "errors",
                "\(trouble.destination): \(Cause.sentence(trouble.code)), \(trouble.count) times, last \(Words.duration(max(0, now - trouble.lastAtMilliseconds))) ago"
            )
        }
        for pause in pauses {
            add(
                "pauses",
                "\(pause.destination) \(pause.isResumption ? "resumed" : "paused") at \(Words.time(pause.atMilliseconds))"
                    + (pause.isResumption ? "" : ": \(Cause.sentence(pause.reason))"))
        }
        return rows.isEmpty ? "  nothing happened" : Words.table(rows)
    }

    private static func list(_ counts: [String: Int]) -> String {
        list(counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { (Words.plain($0.key), $0.value) })
    }

    private static func list(_ counts: [(String, Int)]) -> String {
        counts.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}
