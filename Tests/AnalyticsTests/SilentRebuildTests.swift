import CaptureLedgerSync
import Foundation
import SessionDomain
import Synchronization
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

/// Every way out of a ledger leads to one loopback address here, where connections are counted, and a host's reporter listens too.
@Suite(.timeLimit(.minutes(2))) struct SilentRebuildTests {
    @Test func `F29 S33 three rebuilds open no connection, tell no reporter and move no checkpoint`() async throws {
        let server = try ServerProgram("CountingServer")
        let history = try AnalyticsHistory(seed: SeededRandom.seed(for: "silent rebuilds"), sessions: 12)
        let temporary = history.temporary
        temporary.ledger.closeAndWait()
        let origin = "http://127.0.0.1:\(server.port("http"))"
        try name(origin, in: temporary.path)

        let reporter = CountingReporter()
        FlowAnalytics.reporter = reporter
        defer { FlowAnalytics.reporter = nil }
        var options = LedgerOptions()
        let clock = temporary.clock
        options.clock = LedgerClock { clock.now }
        let ledger = try await Ledger.open(at: URL(filePath: temporary.path), options: options)
        // with something to send, whatever the history left
        let first = try start(ledger)
        _ = try ledger.capture(
            CaptureRequest(session: first, piece: .selfie, path: Fixture.path("selfie.jpg"), source: .camera))
        _ = try ledger.confirm(.selfie, in: first, CommandOptions())
        #expect(await [reporter.next(), reporter.next()] == [first.text, first.text])

        // half of it is exported; that connections are counted is seen by it
        var request = AnalyticsExportRequest()
        request.checkpoint = "warehouse"
        request.batch = 7
        request.lastPosition = try ledger.lastPosition() / 2
        #expect(try export(request, ledger).events > 0)
        let connections = try count(server)
        #expect(connections > 0)
        #expect(try !ledger.deliveries().filter { $0.status == .waiting }.isEmpty)
        let checkpoint = try checkpoint(temporary.path)

        for _ in 0..<3 {
            let report = try ledger.rebuild()
            #expect(report.projections == ["flow", "delivery", "analytics"])
            #expect(report.events == (try ledger.lastPosition()))
        }
        #expect(try count(server) == connections, "a rebuild has connected to somebody")
        #expect(try self.checkpoint(temporary.path) == checkpoint)

        // whatever a rebuild had told the reporter would have come before this
        let second = try start(ledger)
        #expect(await reporter.next() == second.text)
        #expect(reporter.count == 3)

        // every way out does lead there: the export tells each event once, and a sync connects
        request.lastPosition = .max
        _ = try export(request, ledger)
        #expect(try export(request, ledger).events == 0)
        var wanted: [JSONValue] = []
        _ = try ledger.exportAnalytics(AnalyticsExportRequest()) { (batch) throws(LedgerError) in
            wanted += batch.events.map(\.json)
        }
        let bodies = try server.ask(#"{"do":"bodies","path":"/events"}"#)["bodies"]?.asArray ?? []
        #expect(bodies.flatMap { $0["events"]?.asArray ?? [] } == wanted && bodies.count > 2)
        let before = try count(server)
        _ = try await SyncWorker(ledger: ledger).runOnce(deadline: .seconds(20))
        #expect(try count(server) > before)
        ledger.closeAndWait()
    }

    private func name(_ origin: String, in path: String) throws {
        let file = path + "/capture-ledger.json5"
        let text = String(decoding: try FileDescriptor(opening: file, .read).readToEnd(limit: 1 << 20), as: UTF8.self)
        let named = """
              reporter: { url: "\(origin)/events" },
              destinations: {
                verifier: { url: "\(origin)/verify", kind: "verifier" },
                hologram: { url: "\(origin)/hologram", kind: "hologram" },

            """
        let replaced = text.replacing("  destinations: {\n", with: named)
        try #require(replaced != text)
        try FileSystem.replace(file, with: Array(replaced.utf8), mode: 0o600)
    }

    private func start(_ ledger: Ledger) throws -> SessionID {
        var configuration = CaptureConfiguration(pieces: [.selfie], flowTitle: "Check in", analyticsContext: "kiosk_7")
        configuration.checks = .off
        return try ledger.start(StartRequest(configuration: configuration)).session
    }

    private func export(_ request: AnalyticsExportRequest, _ ledger: Ledger) throws -> AnalyticsExported {
        let endpoint = try AnalyticsEndpoint(ledger, url: nil)
        return try ledger.exportAnalytics(request) { (batch) throws(LedgerError) in try endpoint.send(batch) }
    }

    private func count(_ server: ServerProgram) throws -> Int {
        try server.ask(#"{"do":"count"}"#)["connections"]?.asInt ?? -1
    }

    private func checkpoint(_ path: String) throws -> [UInt8] {
        try FileDescriptor(opening: path + "/followers/warehouse.cursor", .read).readToEnd(limit: 1 << 16)
    }
}

/// Hands the sessions of the events that it is told to whoever waits for them.
private final class CountingReporter: AnalyticsReporting {
    private let told = AsyncStream.makeStream(of: String.self)
    private let calls = Mutex(0)

    var count: Int { calls.withLock { $0 } }

    func report(event: String, parameters: [String: Any?]) {
        calls.withLock { $0 += 1 }
        told.continuation.yield(parameters["session_id"] as? String ?? "")
    }

    func next() async -> String? {
        for await session in told.stream { return session }
        return nil
    }
}
