import CaptureLedger
import Outbox
import SessionDomain
import SystemCalls

extension Verb {
    static let syncList = Verb(
        path: ["sync", "list"], summary: "List deliveries, oldest first, and what happens next with each.",
        options: [.choice("status", DeliveryStatus.allCases.map(\.name), "only these")] + DeliveryFilter.options + [
            .value("limit", "N", "how many at most (1000000)"), .value("after", "CURSOR", "goes on where another list ended"),
        ],
        examples: [
            "capture-ledger sync list --status parked --cause failed_permanently",
            "capture-ledger sync list --session 0193… --json", "capture-ledger sync list --since 2d --limit 100",
        ],
        exits: [.notFound],
        run: { invocation, console in
            let ledger = try invocation.openForReading()
            let now = ledger.clock.nowMilliseconds()
            var filter = try DeliveryFilter(invocation, now: now)
            let limit = try invocation.integer("limit", in: 1...1_000_000).map { Int($0) } ?? 1_000_000
            filter.cursor = try invocation.integer("after") ?? 0
            filter.status = invocation.text("status").flatMap { name in DeliveryStatus.allCases.first { $0.name == name } }
            filter.limit = limit + 1  // one more tells that there is more
            let rows = try ledger.deliveries(filter)
            let page = rows.prefix(limit)
            let next = rows.count > page.count ? page.last.map { String($0.number) } : nil
            let around = Surroundings(of: ledger)
            try console.result(
                ["deliveries": .array(page.map(\.json)), "next": .text(next)],
                page.isEmpty
                    ? "No delivery."
                    : Words.table(page.map { $0.row(next: around.situation(of: $0, now: now).line) }, indent: "")
                        + (next.map { "\nMore: --after \($0)" } ?? ""))
            return .done
        })
}
