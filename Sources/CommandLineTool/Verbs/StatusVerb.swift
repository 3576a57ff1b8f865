import CaptureLedger
import Outbox
import SessionDomain

extension Verb {
    static let status = Verb(
        path: ["status"], summary: "How a ledger stands: what waits, what needs a person and how, what comes next.",
        details: "With --since it says for a shift handover what happened from then on.",
        options: [
            .value("since", "T", "also what happened since then: ISO 8601, Unix milliseconds, or how long ago, such as 8h")
        ],
        examples: [
            "capture-ledger status", "capture-ledger status --since 8h",
            "capture-ledger status --since 2026-11-30T06:00Z --json",
        ],
        exits: [.notFound],
        run: { invocation, console in
            let ledger = try invocation.openForReading()
            let now = ledger.clock.nowMilliseconds()
            let since = try invocation.moment("since", now: now)
            let status = try Status(ledger, now: now)
            var json = status.json(invocation)
            var words = status.words(invocation)
            if let witness = try ledger.witnessStanding() {
                json = json.adding("witness", witness.json)
                words.append(witness.words(now: now))
            }
            if let since {
                let handover = try ledger.handover(since: since)
                let counts = handover.events.map { JSONValue.Member($0.key, .whole($0.value)) }
                json = json.adding("since", .members(counts)).adding("handover", handover.json)
                words += ["Since \(Words.time(since)), \(Words.duration(max(0, now - since))) ago:", handover.words(now: now)]
            }
            try console.result(json, words.joined(separator: "\n"))
            return .done
        })
}

/// What `status` says, from one look.
private struct Status {
    private let ledger: Ledger
    private let now: Int64
    private let standing: LedgerStanding
    private let waiting: Int
    private let parked: Int
    private let oldest: Int64?
    private let dueAt: Int64?
    private let last: Int64?

    init(_ ledger: Ledger, now: Int64) throws {
        self.ledger = ledger
        self.now = now
        standing = try ledger.attention()
        let backlog = try ledger.backlog()
        (waiting, parked) = (backlog.waiting, backlog.parked)
        (oldest, dueAt) = (backlog.oldestConfirmedAtMilliseconds, backlog.nextDueAtMilliseconds)
        last = try ledger.lastSuccessMilliseconds()
    }

    func json(_ invocation: Invocation) -> JSONValue {
        let pauses = (try? ledger.pauses()) ?? []
        return [
            "backlog": ["waiting": .whole(waiting), "parked": .whole(parked)],
            "oldest_confirmed_at_ms": .whole(oldest), "last_success_at_ms": .whole(last), "next_due_at_ms": .whole(dueAt),
            "next_action": .string(next),
            "paused": .array(
                pauses.map {
                    [
                        "destination": .string($0.destination), "reason": .string($0.pause.reason.rawValue),
                        "since_ms": .integer($0.pause.sinceMilliseconds), "probe_at_ms": .whole($0.pause.probeAtMilliseconds),
                    ]
                }),
            "needs_recapture": .whole(standing.recaptures), "last_position": .whole((try? ledger.lastPosition()) ?? 0),
            "epoch": .string(ledger.epoch.text),
            "sessions": [
                "capturing": .whole(standing.capturing), "needs_recapture": .whole(standing.recaptures),
                "waiting_for_verification": .whole(standing.waitingForVerification), "suspended": .whole(standing.suspended),
            ],
            "unchecked": .whole(standing.unchecked), "clock_behind_ms": .whole(standing.clockBehindMilliseconds),
            "needs": .array(standing.needs.map { $0.json(invocation) }),
        ]
    }

    func words(_ invocation: Invocation) -> [String] {
        var lines = [
            "Sessions: \(standing.capturing) capturing, \(standing.recaptures) to capture again, \(standing.waitingForVerification) waiting for verification."
                + (standing.suspended == 0 ? "" : " Of them \(standing.suspended) suspended."),
            "Deliveries: \(waiting) waiting\(oldest.map { ", the oldest for \(Words.duration(max(0, now - $0)))" } ?? ""), \(parked) given up. "
                + (last.map { "The last success was \(Words.duration(max(0, now - $0))) ago." } ?? "Nothing was delivered yet."),
        ]
        if standing.needs.isEmpty {
            lines.append("Nothing needs a person.")
        } else {
            lines.append("Needs a person:")
            lines += standing.needs.flatMap { $0.lines(invocation, now: now) }
        }
        if let step { lines.append("Next: \(step)") }
        return lines
    }

    /// The step of the machine, and what needs a person, as one text.
    private var next: String {
        let sentences = [step].compactMap(\.self) + standing.needs.map(\.sentence)
        return sentences.isEmpty ? "Nothing is to be done." : sentences.joined(separator: " ")
    }

    /// What comes next with deliveries; nil where none is left.
    private var step: String? {
        if waiting == 0 { return nil }
        if ledger.settings.destinations.isEmpty {
            return "No destination is configured: add one to \(Settings.fileName), then run sync."
        }
        if standing.needs.contains(where: { $0.kind == "destination_paused" }) {
            return "A destination is paused: sync list and sync explain say why."
        }
        guard let dueAt else { return "Nothing that waits may be sent: sync list says what holds it up." }
        if dueAt <= now { return "Run sync: something is due." }
        return "The next attempt is due in \(Words.duration(dueAt - now))."
    }
}

extension Need {
    /// With the command that comes first.
    fileprivate var sentence: String {
        let why = situation.why.hasSuffix(".") ? String(situation.why.dropLast()) : situation.why
        return situation.commands.first.map { "\(why): \($0)." } ?? situation.why
    }
}
