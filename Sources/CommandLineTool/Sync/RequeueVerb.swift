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
            let filter = try DeliveryFilter(invocation, now: ledger.clock.nowMilliseconds())
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
            let rows = try ledger.allDeliveries().filter { $0.status == .parked && filter.fits($0) }
            return isDry ? try console.wouldRequeue(rows) : try console.requeue(rows, options, ledger)
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
        let receipt = try ledger.requeue(row, options)
        let after = try ledger.delivery(row.id.text)
        let what = receipt.positions.isEmpty && !receipt.isRepeat ? "It was not parked." : receipt.words
        try result(
            ["delivery": after.json, "receipt": receipt.json, "count": .whole(1)],
            after.nextStep(now: ledger.clock.nowMilliseconds()) + "\n" + what)
        return .done
    }

    /// Each is a command and an event of its own; one that is refused holds up no other.
    fileprivate func requeue(_ rows: [DeliveryRow], _ options: CommandOptions, _ ledger: Ledger) throws -> ExitCode {
        var done: [DeliveryRow] = []
        var refused: [(row: DeliveryRow, complaint: Complaint)] = []
        for row in rows {
            var options = options
            if let name = options.commandID {
                // one name for all of them, each with its own delivery: repeating the command repeats none
                guard let own = CommandID("\(name.text).\(row.id.text)") else {
                    throw Complaint.usage("--command-id is too long for many deliveries.", remedy: "Use at most 90 characters.")
                }
                options.commandID = own
            }
            do throws(LedgerError) {
                _ = try ledger.requeue(row, options)
                done.append(row)
            } catch {
                let complaint = Complaint(error)
                guard complaint.exit == .refused else { throw complaint }
                refused.append((row, complaint))
            }
        }
        let json: JSONValue = [
            "count": .whole(done.count), "requeued": .array(done.map { .string($0.id.text) }),
            "refused": .array(refused.map { ["id": .string($0.row.id.text), "error": $0.complaint.json] }),
        ]
        var lines = ["Requeued \(Words.count(done.count, "delivery", "deliveries")): due now."]
        if done.isEmpty { lines = ["No delivery was requeued."] }
        lines += refused.map { "  \($0.row.id.text): \($0.complaint.message) \($0.complaint.remedy)" }
        try result(json, lines.joined(separator: "\n"))
        return refused.isEmpty ? .done : .refused
    }
}
