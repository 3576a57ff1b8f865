import CaptureLedger
import SessionDomain
import SystemCalls

extension Verb {
    static let replay = Verb(
        path: ["replay"], summary: "Print the ledger's events one by one, oldest first.",
        details:
            "With --json one JSON object a line; with --format csv a table for a spreadsheet. Reading never holds a writer up, and memory does not grow with the ledger. Where it ended is said on standard error: --from goes on there.",
        options: [
            .choice("format", ["jsonl", "csv"], "JSON lines, as --json gives them, or CSV (RFC 4180)"),
            .value("from", "N", "begin at this position (1)"), .value("to", "N", "end with this position"),
            .value("since", "T", "recorded at this time or later"), .value("until", "T", "recorded at this time or before"),
            .value("session", "ID", "only this session's"),
            .value("type", "T", "only this type, such as piece_captured", repeatable: true),
            .value("piece", "P", "only of this piece", repeatable: true), .flag("no-header", "leave out the first line of CSV"),
            .flag("follow", "wait for more until interrupted"),
        ],
        examples: [
            "capture-ledger replay --json", "capture-ledger replay --from 100 --type piece_verified --follow",
            "capture-ledger replay --format csv --since 2026-11-30T00:00:00+03:00 --type piece_rejected",
        ],
        exits: [.notFound, .inputOutput],
        run: { invocation, console in
            let from = try invocation.integer("from", in: 1...Int64.max) ?? 1
            let filter = try replayFilter(invocation)
            let form: ReplayForm? =
                invocation.text("format") == "csv"
                ? .csv
                : console.isJSON || invocation.text("format") == "jsonl" ? .jsonLines : nil
            let ledger = try invocation.openForReading()
            var (position, count) = (from - 1, 0)
            do {
                if let form, !invocation.has("no-header") { try console.bytes(form.header) }
                while true {
                    let step = try console.replay(ledger, filter, after: position, form)
                    position = max(position, step.position)
                    count += step.count
                    guard step.isEnd else { continue }
                    let isOver =
                        position >= filter.through
                        || filter.untilMilliseconds.map { $0 < SystemClock.realtimeMilliseconds() } ?? false
                    guard invocation.has("follow"), !isOver else { break }
                    try await Task.sleep(for: .milliseconds(200))
                }
            } catch let complaint as Complaint where complaint == StandardStreams.closed {
                // Whoever reads has enough, as head(1) does.
                return .done
            }
            console.note(
                "\(Words.count(count, "event")) of positions \(from) to \(position). Go on with --from \(position + 1).")
            return .done
        })

    private static func replayFilter(_ invocation: Invocation) throws(Complaint) -> ReplayFilter {
        var filter = ReplayFilter()
        filter.session = try invocation.session("session")
        for text in invocation.texts("type") {
            guard let code = ReplayFilter.typeCode(text.trimmed) else {
                let hint = Spelling.nearest(to: text.trimmed, in: ReplayFilter.typeNames).map { "Did you mean \($0)?" }
                throw .usage(
                    "A type that is not known was named.",
                    remedy: hint ?? "Use one of: \(ReplayFilter.typeNames.joined(separator: ", ")).")
            }
            filter.types.insert(code)
        }
        for text in invocation.texts("piece") { filter.pieces.insert(try invocation.piece(text)) }
        filter.sinceMilliseconds = try invocation.moment("since")
        filter.untilMilliseconds = try invocation.moment("until")
        filter.through = try invocation.integer("to", in: 1...Int64.max) ?? .max
        return filter
    }
}

extension Console {
    /// One step, written out at once: a page of events is one write.
    fileprivate func replay(
        _ ledger: Ledger, _ filter: ReplayFilter, after position: Int64, _ form: ReplayForm?
    ) throws -> ReplayStep {
        var output: [UInt8] = []
        let step: ReplayStep
        if let form {
            step = try ledger.replay(filter, after: position, as: form, into: &output)
        } else {
            step = try ledger.replay(filter, after: position) { event in
                output += Array(((event.row + [event.session.text]).joined(separator: "  ") + "\n").utf8)
            }
        }
        if !output.isEmpty { try bytes(output) }
        return step
    }
}
