import CaptureLedger
import CaptureLedgerSync
import SessionDomain
import SystemCalls

extension Verb {
    private static func wantsEnd() -> Bool { TerminationSignals.count > 0 }

    /// Where an export of its own remembers how far it is.
    private static let usualCheckpoint = "analytics-export"

    static let analyticsExport = Verb(
        path: ["analytics", "export"], summary: "Hand the six analytics events to a reporter, at least once.",
        details: """
            With --to they are appended to a file as JSON lines, with --url (or the settings' reporter) they are posted in batches, else they are printed. It goes on where the last export under this checkpoint ended, and the checkpoint moves when a batch is on the disk or acknowledged: after a failure the batch comes again, with the same event_id. Printing, and a start given with --from or --since, use no checkpoint unless one is named.
            """,
        options: [
            .value("to", "FILE", "append to this file"), .value("url", "URL", "post to this address"),
            .flag("reporter", "post to the reporter that the settings name"),
            .value("from", "N", "begin at this position"), .value("until-position", "N", "end with this position"),
            .value("since", "T", "begin with what was recorded then: a day, ISO 8601, Unix milliseconds, or such as 7d"),
            .value("until", "T", "end before what was recorded then"),
            .value("tz", "ZONE", "whose clock is meant where a time names none (UTC)"),
            .value("checkpoint", "NAME", "remember under this name how far it is (\(usualCheckpoint))"),
            .value("batch", "N", "events handed over at once (500)"),
        ],
        examples: [
            "capture-ledger analytics export --to events.jsonl",
            "capture-ledger analytics export --url https://reports.example/events",
            "capture-ledger analytics export --since 2026-10-01 --until 2026-11-01 --to october.jsonl",
            "capture-ledger analytics export --reporter --checkpoint warehouse",
        ],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput, .workLeft, .notPermitted],
        run: { invocation, console in
            let targets = ["to", "url", "reporter"].filter { invocation.has($0) }
            guard targets.count <= 1 else {
                throw Complaint.usage("--\(targets[0]) and --\(targets[1]) were both given.", remedy: "Keep one of them.")
            }
            for (first, second) in [("from", "since"), ("until-position", "until")]
            where invocation.has(first) && invocation.has(second) {
                throw Complaint.usage("--\(first) and --\(second) were both given.", remedy: "Keep one of them.")
            }
            let ledger = try invocation.openForReading()
            let request = try request(invocation, ledger, prints: targets.isEmpty)
            TerminationSignals.watch(hangup: .ends)
            let exported: AnalyticsExported
            switch targets.first {
            case "to":
                let file = try AnalyticsFile(path: invocation.text("to") ?? "")
                exported = try ledger.exportAnalytics(request, stop: wantsEnd) {
                    (batch) throws(LedgerError) in try file.append(batch)
                }
            case nil:
                return try print(ledger, request, console)
            default:
                let endpoint = try AnalyticsEndpoint(ledger, url: invocation.text("url"))
                exported = try ledger.exportAnalytics(request, stop: wantsEnd) {
                    (batch) throws(LedgerError) in try endpoint.send(batch)
                }
            }
            try console.result(exported.json(request.checkpoint), exported.words(request.checkpoint))
            return exported.isStopped ? .workLeft : .done
        })

    private static func request(
        _ invocation: Invocation, _ ledger: Ledger, prints: Bool
    ) throws -> AnalyticsExportRequest {
        var request = AnalyticsExportRequest()
        request.firstPosition = try invocation.integer("from", in: 1...Int64.max)
        request.lastPosition = try invocation.integer("until-position") ?? .max
        request.batch = Int(try invocation.integer("batch", in: 1...10_000) ?? 500)
        let span = try invocation.span(in: try invocation.timeZone(), now: ledger.clock.nowMilliseconds())
        if let since = span.since { request.firstPosition = try ledger.firstPosition(atOrAfter: since) }
        if let until = span.until { request.lastPosition = try ledger.firstPosition(atOrAfter: until) - 1 }
        let isBounded = request.firstPosition != nil
        request.checkpoint = invocation.text("checkpoint") ?? (prints || isBounded ? nil : usualCheckpoint)
        return request
    }

    /// Lines on standard output, and nothing else.
    private static func print(_ ledger: Ledger, _ request: AnalyticsExportRequest, _ console: Console) throws -> ExitCode {
        var failure: (any Error)?
        do throws(LedgerError) {
            let exported = try ledger.exportAnalytics(request, stop: wantsEnd) {
                (batch) throws(LedgerError) in
                do { try console.bytes(batch.lines) } catch {
                    failure = error
                    throw LedgerError(
                        code: .init(rawValue: "output_failed"), message: "The output could not be written.",
                        remedy: "Check the disk, or the program that reads it.")
                }
            }
            return exported.isStopped ? .workLeft : .done
        } catch {
            throw failure ?? error
        }
    }
}

extension AnalyticsExported {
    func json(_ checkpoint: String?) -> JSONValue {
        [
            "events": .whole(events), "batches": .whole(batches), "first_position": .integer(firstPosition),
            "last_position": .integer(lastPosition), "checkpoint": .text(checkpoint), "stopped": .bool(isStopped),
        ]
    }

    func words(_ checkpoint: String?) -> String {
        if firstPosition > lastPosition { return "Nothing new since position \(lastPosition)." }
        let memory = checkpoint.map { " The checkpoint \($0) is at position \(lastPosition)." } ?? ""
        return "Exported \(Words.count(events, "event")) of the positions \(firstPosition) to \(lastPosition)." + memory
    }
}
