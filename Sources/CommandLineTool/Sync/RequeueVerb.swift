import CaptureLedger
import Outbox
import SessionDomain

extension Verb {
    static let syncRequeue = Verb(
        path: ["sync", "requeue"], summary: "Have parked deliveries tried again, at once and with fresh counters.",
        details:
            "Names one delivery, or all that are parked and fit the filters; --all alone takes every parked one. It asks nothing: see with --dry-run how many it would be.",
        positionals: [Positional("DELIVERY", "the delivery's id", .optional)],
        options: DeliveryFilter.options + [
            .flag("all", "every parked delivery, where no filter is given"),
            .flag("dry-run", "say how many, and change nothing"),
        ],
        writes: true,
        examples: [
            "capture-ledger sync requeue 5f0c…",
            "capture-ledger sync requeue --cause failed_permanently --destination verifier",
            "capture-ledger sync requeue --all --dry-run",
        ],
        exits: [.refused, .notFound, .inputOutput, .notPermitted],
        run: { invocation, console in
            let options = try invocation.commandOptions()
            let isDry = invocation.has("dry-run")
            let ledger = try isDry ? invocation.openForReading() : invocation.openLedger()
            var filter = try DeliveryFilter(invocation, now: ledger.clock.nowMilliseconds())
            if invocation.word(0) != nil {
                guard filter.isEmpty, !invocation.has("all") else {
                    throw Complaint.usage("DELIVERY and a filter were both given.", remedy: "Keep one of them.")
                }
                let row = try ledger.delivery(invocation[0])
                return isDry ? try console.wouldRequeue([row]) : try console.requeue(row, options, ledger)
            }
            guard !filter.isEmpty || invocation.has("all") else {
                throw Complaint.usage(
                    "sync requeue needs a delivery, a filter or --all.",
                    remedy:
                        "Give DELIVERY, one of \(DeliveryFilter.options.map { "--\($0.name)" }.joined(separator: ", ")), or --all."
                )
            }
            guard options.expectedVersion == nil else {
                throw Complaint.usage(
                    "--expected-version is of one session, and many may be meant.",
                    remedy: "Name one DELIVERY, or leave it out.")
            }
            filter.status = .parked
            return isDry ? try console.wouldRequeue(filter, ledger) : try console.requeue(filter, options, ledger)
        })
}

extension Console {
    fileprivate func wouldRequeue(_ rows: [DeliveryRow]) throws -> ExitCode {
        try result(
            ["would_requeue": .array(rows.map(\.json)), "count": .whole(rows.count)],
            "Would requeue \(Words.count(rows.count, "delivery", "deliveries")).")
        return .done
    }

    fileprivate func requeue(_ row: DeliveryRow, _ options: CommandOptions, _ ledger: Ledger) throws -> ExitCode {
        let (receipt, effect) = try ledger.requeueing(row, options)
        let after = try ledger.delivery(row.id.text)
        let situation = Surroundings(of: ledger).situation(of: after, now: ledger.clock.nowMilliseconds())
        try result(
            [
                "delivery": after.json, "receipt": receipt.json, "count": .whole(1), "effect": .string(effect.rawValue),
                "why": .string(situation.why), "next": .string(situation.next), "who": .string(situation.who.rawValue),
            ],
            "\(effect.words)\n\(situation.line)" + (receipt.positions.isEmpty ? "" : "\n\(receipt.words)"))
        return .done
    }

    fileprivate func wouldRequeue(_ asked: DeliveryFilter, _ ledger: Ledger) throws -> ExitCode {
        var (rows, filter): ([DeliveryRow], DeliveryFilter) = ([], asked)
        while true {
            let page = try ledger.deliveries(filter)
            rows += page
            guard page.count == filter.limit, let last = page.last else { return try wouldRequeue(rows) }
            filter.cursor = last.number
        }
    }

    /// Each is a command and an event of its own, many in one transaction; one that is refused holds up no other.
    fileprivate func requeue(_ asked: DeliveryFilter, _ options: CommandOptions, _ ledger: Ledger) throws -> ExitCode {
        var (report, filter) = (RequeueReport(), asked)
        repeat {
            report.add(try ledger.requeue(filter, options))
            filter.cursor = report.cursor ?? 0
        } while report.cursor != nil
        let refused = report.refused.map { (id: $0.delivery.text, complaint: Complaint($0.error)) }
        let json: JSONValue = [
            "count": .whole(report.done.count), "requeued": .array(report.done.map { .string($0.delivery.text) }),
            "refused": .array(refused.map { ["id": .string($0.id), "error": $0.complaint.json] }),
        ]
        var lines = ["Requeued \(Words.count(report.done.count, "delivery", "deliveries")): due now."]
        if report.done.isEmpty { lines = ["No delivery was requeued."] }
        lines += refused.map { "  \($0.id): \($0.complaint.message) \($0.complaint.remedy)" }
        try result(json, lines.joined(separator: "\n"))
        return refused.isEmpty ? .done : .refused
    }
}

extension RequeueEffect {
    fileprivate var words: String {
        switch self {
        case .requeued: "It was parked and waits again: due now, with fresh counters."
        case .dueNow: "It was not parked; its next attempt is due now."
        case .underWay: "A worker has it in hand at this moment."
        case .repeated: "This command was done before; nothing was added."
        }
    }
}
