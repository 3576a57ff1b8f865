import CaptureLedger
import Foundation
import Synchronization
import Testing

/// The reporter is the process's: these tests come one after the other.
@Suite(.serialized, .timeLimit(.minutes(1))) struct AnalyticsTests {
    struct Report: Sendable {
        let name: String
        let keys: Set<String>
        let context: String?
        let hasNull: Bool
    }

    final class Reporter: AnalyticsReporting {
        let told = Told<Report>()
        private let delay: Duration
        init(delay: Duration = .zero) { self.delay = delay }

        func report(event name: String, parameters: [String: Any?]) {
            if delay > .zero { Thread.sleep(forTimeInterval: delay / .seconds(1)) }
            let hasNull = parameters.values.contains { if case .none = $0 { true } else { false } }
            told.add(
                Report(
                    name: name, keys: Set(parameters.keys), context: parameters["host_context"] as? String, hasNull: hasNull))
        }
    }

    /// A whole session with a rejection in it.
    static func session(_ ledger: Ledger, _ context: String?) async throws {
        let done = Told<Bool>()
        let verifier = ScriptedVerifier { result, _, _ in
            result.attempt == 1 ? .rejected(reason: "dark") : .yes(result.piece)
        }
        var configuration = Kiosk.configuration([.selfie, .passportBack])
        configuration.analyticsContext = context
        let flow = try await CaptureFactory.makeFlow(
            in: ledger, configuration: configuration, verifier: verifier,
            callbacks: CaptureCallbacks(onComplete: { _, _ in done.add(true) }))
        try await flow.dropPendingPieces([.passportBack])
        _ = try await flow.capture(.selfie, file: Kiosk.fixture("hologram.mp4"), source: .camera, consumingFile: false)
        try await flow.take(.selfie)
        _ = try await flow.first { $0.phase == .needsRecapture }
        _ = try await flow.capture(.selfie, file: Kiosk.fixture("selfie-orientation-8.jpg"), source: .camera)
        try await flow.confirm(.selfie)
        _ = try await done.wait(for: 1)
    }

    static let names = [
        "identity_capture_started", "identity_capture_piece_captured", "identity_capture_piece_rejected",
        "identity_capture_piece_captured", "identity_capture_piece_verified", "identity_capture_completed",
    ]

    @Test func `S4 S30 S31 six names and no others, each with its host context, and nothing that is missing`() async throws {
        let reporter = Reporter()
        FlowAnalytics.reporter = reporter
        defer { FlowAnalytics.reporter = nil }
        let kiosk = try await Kiosk()
        try await Self.session(kiosk.ledger, "kiosk_7")
        let reports = try await reporter.told.wait(for: 6)
        #expect(reports.map(\.name) == Self.names)
        #expect(reports.allSatisfy { $0.context == "kiosk_7" && !$0.hasNull && $0.keys.contains("event_id") })
        #expect(reports[1].keys.isSuperset(of: ["piece", "source", "attempt"]) && !reports[0].keys.contains("piece"))
        try await Self.session(kiosk.ledger, nil)
        let more = try await reporter.told.wait(for: 12)
        #expect(more.dropFirst(6).allSatisfy { !$0.keys.contains("host_context") && !$0.hasNull })
        let leaving = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), callbacks: .ignoring)
        try await leaving.exit()
        #expect(try await reporter.told.wait(for: 14).last?.name == "identity_capture_exited")
        await kiosk.close()
    }

    @Test func `S32 S33 what nobody reports is dropped, and what was reported is not reported again`() async throws {
        let kiosk = try await Kiosk()
        let first = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), callbacks: .ignoring)
        try await first.exit()
        await kiosk.close()
        let reporter = Reporter()
        FlowAnalytics.reporter = reporter
        defer { FlowAnalytics.reporter = nil }
        let second = try await Ledger.open(at: kiosk.path)
        let flow = try await CaptureFactory.makeFlow(
            in: second, configuration: Kiosk.configuration([.passportFront]), callbacks: .ignoring)
        #expect(try await reporter.told.wait(for: 1).map(\.name) == ["identity_capture_started"])
        await second.close()
        let third = try await Ledger.open(at: kiosk.path)
        try await third.flow(flow.sessionID).exit()
        #expect(try await reporter.told.wait(for: 2).map(\.name) == ["identity_capture_started", "identity_capture_exited"])
        await third.close()
    }

    @Test func `S86 the reporter is held weakly, and when it goes away a line says so once`() async throws {
        let lines = Told<String>()
        var options = LedgerOptions()
        options.log = { lines.add($0) }
        let kiosk = try await Kiosk(options)
        do {
            let reporter = Reporter()
            FlowAnalytics.reporter = reporter
            _ = try await CaptureFactory.makeFlow(
                in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), callbacks: .ignoring)
            _ = try await reporter.told.wait(for: 1)
        }
        let line = try #require(try await lines.wait(for: 1).first)
        #expect(line.contains("reporter went away") && FlowAnalytics.reporter == nil)
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), callbacks: .ignoring)
        try await flow.exit()
        await kiosk.close()
        #expect(lines.all.count == 1)
    }

    @Test func `S86 a reporter that sleeps holds up no command, and gets everything in the end`() async throws {
        let reporter = Reporter(delay: .milliseconds(300))
        FlowAnalytics.reporter = reporter
        defer { FlowAnalytics.reporter = nil }
        let kiosk = try await Kiosk()
        let clock = ContinuousClock()
        let start = clock.now
        for _ in 1...5 {
            let flow = try await CaptureFactory.makeFlow(
                in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), callbacks: .ignoring)
            try await flow.exit()
        }
        // Ten reports take three seconds; ten commands did not wait for them.
        #expect(start.duration(to: clock.now) < .seconds(2))
        #expect(try await reporter.told.wait(for: 10).count == 10)
        await kiosk.close()
    }
}
