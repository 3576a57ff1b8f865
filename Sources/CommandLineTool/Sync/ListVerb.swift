import CaptureLedger
import Outbox
import SessionDomain
import SystemCalls

extension Verb {
    static let syncList = Verb(
        path: ["sync", "list"], summary: "List deliveries, oldest first, and what happens next with each.",
        options: [.choice("status", DeliveryStatus.allCases.map(\.name), "only these")] + DeliveryFilter.options + [
            .value("limit", "N", "how many at most (all)"), .value("after", "CURSOR", "goes on where another list ended"),
        ],
        examples: [
            "capture-ledger sync list --status parked --cause failed_permanently",
            "capture-ledger sync list --session 0193… --json", "capture-ledger sync list --since 2d --limit 100",
        ],
        exits: [.notFound],
        run: { invocation, console in
            let ledger = try invocation.openForReading()
            let now = ledger.clock.nowMilliseconds()
            let filter = try DeliveryFilter(invocation, now: now)
            let limit = try invocation.integer("limit", in: 1...1_000_000).map { Int($0) } ?? .max
            let after = try invocation.integer("after") ?? 0
            let status = invocation.text("status")
            var rows = try filter.session.map { try ledger.deliveries(of: $0) } ?? ledger.allDeliveries(after: after)
            rows = rows.filter { $0.number > after && filter.fits($0) && (status ?? $0.status.name) == $0.status.name }
            let page = rows.prefix(limit)
            let next = rows.count > page.count ? page.last.map { String($0.number) } : nil
            let holds = Holds(of: ledger)
            try console.result(
                ["deliveries": .array(page.map(\.json)), "next": .text(next)],
                page.isEmpty
                    ? "No delivery."
                    : Words.table(page.map { $0.row(next: holds.step(of: $0, now: now)) }, indent: "")
                        + (next.map { "\nMore: --after \($0)" } ?? ""))
            return .done
        })
}
