import CaptureLedgerSync
import LocalHTTP
import SessionDomain
import Synchronization
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

@Suite(.timeLimit(.minutes(2))) struct ExportTests {
    private static let crash = LedgerError(code: .init(rawValue: "busy"), message: "It died.", remedy: "Nothing.")

    private static func lines(_ path: String) throws -> [JSONValue] {
        let bytes = try FileDescriptor(readingFile: path).readToEnd(limit: 1 << 24)
        return try bytes.split(separator: 0x0A).map { try JSONValue.parse(Array($0)) }
    }

    private static func ids(_ values: [JSONValue]) -> [String] { values.compactMap { $0["event_id"]?.asString } }

    /// Everything that is to be told, straight from the log.
    private static func all(_ ledger: Ledger) throws -> [JSONValue] {
        var told: [JSONValue] = []
        _ = try ledger.exportAnalytics(AnalyticsExportRequest()) { (batch) throws(LedgerError) in
            told += batch.events.map(\.json)
        }
        return told
    }

    @Test func `S30 S31 S4 six names in order, each with its host context, and nothing that is missing`() throws {
        let history = try AnalyticsHistory(seed: SeededRandom.seed(for: "six names"), sessions: 24)
        let ledger = history.temporary.ledger
        let told = try Self.all(ledger)
        let events = try ledger.events(after: 0, limit: 100_000)
        let wanted = events.filter { event in
            let isLate = event.facts.contains(#""late":true"#)
            return [
                "session_started", "piece_captured", "piece_verified", "piece_rejected", "session_completed", "session_exited",
            ].contains(event.type) && !isLate
        }
        #expect(told.map { $0["position"]?.asInteger } == wanted.map(\.position))
        #expect(Self.ids(told) == wanted.map(\.eventID.text))
        let names: Set = [
            "identity_capture_started", "identity_capture_piece_captured", "identity_capture_piece_verified",
            "identity_capture_piece_rejected", "identity_capture_completed", "identity_capture_exited",
        ]
        let found = Set(told.compactMap { $0["name"]?.asString })
        #expect(found.isSubset(of: names) && found.count > 3)
        for event in told {
            let parameters = try #require(event["parameters"]?.asMembers)
            #expect(!parameters.contains { $0.value == .null })
            let session = try #require(event["parameters"]?["session_id"]?.asString)
            #expect(event["parameters"]?["host_context"]?.asString == history.contexts[session] ?? nil)
        }
        #expect(Set(Self.ids(told)).count == told.count)
    }

    @Test func `S86 a crash between a batch and its checkpoint repeats the batch with the same ids, and loses nothing`() throws
    {
        let history = try AnalyticsHistory(seed: SeededRandom.seed(for: "export"), sessions: 10)
        let ledger = history.temporary.ledger
        let wanted = try Self.all(ledger)
        let path = history.temporary.folder + "/events.jsonl"
        var request = AnalyticsExportRequest()
        request.checkpoint = "warehouse"
        request.batch = 3
        var runs = 0
        while true {
            runs += 1
            let file = try AnalyticsFile(path: path)
            var batches = 0
            do throws(LedgerError) {
                let exported = try ledger.exportAnalytics(request) { (batch) throws(LedgerError) in
                    try file.append(batch)
                    batches += 1
                    // on the disk, and not yet remembered
                    if batches == 3 { throw Self.crash }
                }
                if exported.events == 0 { break }
            } catch {
                #expect(error.code.rawValue == "busy")
            }
        }
        let found = try Self.lines(path)
        #expect(runs > 1 && found.count > wanted.count, "nothing was repeated: the crash is not there")
        var seen: Set<String> = []
        let once = found.filter { seen.insert($0["event_id"]?.asString ?? "").inserted }
        #expect(once == wanted)
    }

    @Test func `a line that a crash cut off is taken away, and its event comes again`() throws {
        let history = try AnalyticsHistory(seed: 7, sessions: 3)
        let ledger = history.temporary.ledger
        let path = history.temporary.folder + "/events.jsonl"
        try FileDescriptor(opening: path, .createNew).write(Array("{\"event_id\":1}\n{\"event_id\":\"cut".utf8))
        let file = try AnalyticsFile(path: path)
        _ = try ledger.exportAnalytics(AnalyticsExportRequest()) { (batch) throws(LedgerError) in try file.append(batch) }
        let found = try Self.lines(path)
        #expect(found.first?["event_id"] == .integer(1))
        #expect(Array(found.dropFirst()) == (try Self.all(ledger)))
        // one whole line without an end, longer than what is read at once
        let long = history.temporary.folder + "/long.jsonl"
        try FileDescriptor(opening: long, .createNew).write(
            Array("{\"event_id\":\"".utf8) + [UInt8](repeating: 0x61, count: 10_000))
        _ = try AnalyticsFile(path: long)
        #expect(try FileStatus.of(long)?.size == 0)
    }

    @Test func `a file that holds something else is left as it is`() throws {
        let history = try AnalyticsHistory(seed: 7, sessions: 1)
        for (name, content) in [
            ("database", Array("SQLite format 3\0".utf8)), ("text", Array("dear diary".utf8)), ("nul", [0]),
        ] {
            let path = history.temporary.folder + "/" + name
            try FileDescriptor(opening: path, .createNew).write(content)
            let error = #expect(throws: LedgerError.self) { try AnalyticsFile(path: path) }
            #expect(error?.code.rawValue == "events_file_foreign", "\(name)")
            #expect(try FileDescriptor(opening: path, .read).readToEnd(limit: 99) == content)
        }
    }

    @Test func `S32 S86 a reporter that fails, refuses or does not answer moves no checkpoint`() throws {
        let history = try AnalyticsHistory(seed: 11, sessions: 8)
        let ledger = history.temporary.ledger
        let reporter = Reporter()
        let server = try HTTPServer { _ in .collect(limit: 1 << 20) { reporter.take($0) } }
        defer { server.stop() }
        var request = AnalyticsExportRequest()
        request.checkpoint = "http"
        request.batch = 4
        let wanted = try Self.all(ledger)
        try #require(wanted.count > 16)
        for (status, code) in [
            (500, "reporter_failed"), (404, "reporter_refused"), (302, "reporter_refused"), (429, "reporter_failed"),
        ] {
            reporter.answer = { _ in status }
            let endpoint = try AnalyticsEndpoint(ledger, url: server.origin + "/events")
            let error = #expect(throws: LedgerError.self) {
                try ledger.exportAnalytics(request) { (batch) throws(LedgerError) in try endpoint.send(batch) }
            }
            #expect(error?.code.rawValue == code)
        }
        // F15: a captive portal says 200 and has acknowledged nothing
        reporter.answersPage = true
        reporter.answer = { _ in 200 }
        let portal = try AnalyticsEndpoint(ledger, url: server.origin + "/events")
        let fooled = #expect(throws: LedgerError.self) {
            try ledger.exportAnalytics(request) { (batch) throws(LedgerError) in try portal.send(batch) }
        }
        #expect(fooled?.code.rawValue == "reporter_failed" && fooled?.isRetryable == true)
        reporter.answersPage = false
        // two batches get through, the third does not: the next run begins with it
        reporter.clear()
        reporter.answer = { $0 == 3 ? 503 : 204 }
        let endpoint = try AnalyticsEndpoint(ledger, url: server.origin + "/events")
        _ = try? ledger.exportAnalytics(request) { (batch) throws(LedgerError) in try endpoint.send(batch) }
        reporter.answer = { _ in 200 }
        _ = try ledger.exportAnalytics(request) { (batch) throws(LedgerError) in try endpoint.send(batch) }
        let bodies = try reporter.bodies.map { try JSONValue.parse($0) }
        try #require(bodies.count > 4)
        #expect(bodies[2] == bodies[3], "the batch that failed comes again, byte for byte")
        #expect(reporter.keys[2] == reporter.keys[3] && Set(reporter.keys).count == reporter.keys.count - 1)
        let told = (bodies[..<2] + bodies[3...]).flatMap { $0["events"]?.asArray ?? [] }
        #expect(told == wanted)
        #expect(bodies.allSatisfy { $0["ledger_id"]?.asString == ledger.ledgerID.text })
        // nothing listens any more
        server.stop()
        request.checkpoint = nil
        let error = #expect(throws: LedgerError.self) {
            try ledger.exportAnalytics(request) { (batch) throws(LedgerError) in try endpoint.send(batch) }
        }
        #expect(error?.code.rawValue == "reporter_unreachable" && error?.isRetryable == true)
    }

    @Test func `an address that no capture may go to takes no events either`() throws {
        let history = try AnalyticsHistory(seed: 3, sessions: 1)
        for url in ["http://reports.example/x", "http://192.168.1.5/x", "ftp://x/", "https://user@x/", "https://10.0.0.1/"] {
            let error = #expect(throws: LedgerError.self) { try AnalyticsEndpoint(history.temporary.ledger, url: url) }
            #expect(error?.code.rawValue == "address_refused", "\(url)")
        }
        let error = #expect(throws: LedgerError.self) { try AnalyticsEndpoint(history.temporary.ledger, url: nil) }
        #expect(error?.code.rawValue == "setting_missing")
    }

    @Test func `a replay is bounded by position or time, and a checkpoint neither leaps nor goes back`() throws {
        let history = try AnalyticsHistory(seed: 21, sessions: 6)
        let ledger = history.temporary.ledger
        let wanted = try Self.all(ledger)
        let events = try ledger.events(after: 0, limit: 100_000)
        let middle = events[events.count / 2]
        let time = middle.recordedAtMilliseconds
        let first = try ledger.firstPosition(atOrAfter: time)
        #expect(first == events.first { $0.recordedAtMilliseconds >= time }?.position)
        #expect(try ledger.firstPosition(atOrAfter: .max) == events.count + 1)
        #expect(try ledger.firstPosition(atOrAfter: 0) == 1)
        func told(_ request: AnalyticsExportRequest) throws -> [JSONValue] {
            var told: [JSONValue] = []
            _ = try ledger.exportAnalytics(request) { (batch) throws(LedgerError) in told += batch.events.map(\.json) }
            return told
        }
        var request = AnalyticsExportRequest()
        request.firstPosition = 4
        request.lastPosition = middle.position
        #expect(try told(request) == wanted.filter { (4...middle.position).contains($0["position"]?.asInteger ?? 0) })
        request.firstPosition = nil
        request.checkpoint = "bounded"
        let half = try told(request)
        request.lastPosition = .max
        #expect(half + (try told(request)) == wanted)
        // again from the start: told again, and the checkpoint stays where it is
        request.firstPosition = 1
        request.lastPosition = 3
        #expect(try told(request) == wanted.filter { ($0["position"]?.asInteger ?? 0) <= 3 })
        request.firstPosition = nil
        request.lastPosition = .max
        #expect(try told(request) == [])
        // a start beyond it would leave events out
        request.checkpoint = "fresh"
        request.firstPosition = 5
        let error = #expect(throws: LedgerError.self) { try told(request) }
        #expect(error?.code.rawValue == "checkpoint_behind")
    }

    @Test func `a session is looked up once, however many events it has`() throws {
        let history = try AnalyticsHistory(seed: 5, sessions: 4)
        var sessions = AnalyticsSessions()
        var position: Int64 = 0
        while let last = try history.temporary.ledger.analyticsEvents(after: position, through: .max, limit: 16, &sessions).last
        {
            position = last.position
        }
        #expect(sessions.lookUps <= history.sessions.count + 1)
    }
}

/// A reporter that answers what the test wrote down, and keeps what it got.
private final class Reporter: Sendable {
    private struct State {
        var bodies: [[UInt8]] = []
        var keys: [String] = []
        var answer: @Sendable (Int) -> Int = { _ in 200 }
        var answersPage = false
    }

    private let state = Mutex(State())

    /// By the number of the request, from 1.
    var answer: @Sendable (Int) -> Int {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }

    var answersPage: Bool {
        get { state.withLock { $0.answersPage } }
        set { state.withLock { $0.answersPage = newValue } }
    }

    var bodies: [[UInt8]] { state.withLock { $0.bodies } }
    var keys: [String] { state.withLock { $0.keys } }

    func clear() {
        state.withLock {
            $0.bodies = []
            $0.keys = []
        }
    }

    func take(_ request: HTTPRequest) -> HTTPAnswer {
        let (status, isPage) = state.withLock { state in
            state.bodies.append(request.body)
            state.keys.append(request.head.headers["Idempotency-Key"] ?? "")
            return (state.answer(state.bodies.count), state.answersPage)
        }
        return .response(
            isPage
                ? HTTPResponse(status: status, contentType: "text/html; charset=utf-8", text: "<html>")
                : HTTPResponse(status: status))
    }
}
