import CaptureLedger
import CaptureLedgerSync
import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(1))) struct OtherProcessTests {
    @Test func `S16 S86 cron's process delivers the last answer, and the host is told and reports it`() async throws {
        let sandbox = try RunningSandbox()
        let reporter = AnalyticsTests.Reporter()
        FlowAnalytics.reporter = reporter
        defer { FlowAnalytics.reporter = nil }
        let kiosk = try await Kiosk()
        let done = Told<VerifierTests.Completion>()
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.passportFront, .selfie]), clientKey: "k",
            callbacks: CaptureCallbacks(onComplete: { done.add(.init(results: $0, payloads: $1)) }))
        try await flow.take(.passportFront)
        try await flow.take(.selfie)
        let states = flow.states
        let synced = try await OtherProcess.run(["--ledger", kiosk.path.path, "sync"], sandbox.environment)
        #expect(synced.status == 0)
        let completion = try #require(try await done.wait(for: 1).first)
        #expect(completion.payloads.count == 2 && completion.results[.selfie]?.sessionID == flow.sessionID)
        var last: FlowState?
        for await state in states { last = state }
        #expect(last?.ending == .completed)
        let names = try await reporter.told.wait(for: 6).map(\.name)
        #expect(names.suffix(1) == ["identity_capture_completed"])
        #expect(names.count { $0 == "identity_capture_piece_verified" } == 2)
        await kiosk.close()
        #expect(done.all.count == 1)
    }

    @Test func `S16 S92 a completion that happened while no host ran is told to the host that comes next`() async throws {
        let sandbox = try RunningSandbox()
        let kiosk = try await Kiosk()
        let configuration = Kiosk.configuration([.selfie])
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: configuration, clientKey: "k", callbacks: .ignoring)
        let captured = try await flow.take(.selfie)
        await kiosk.close()
        #expect(try await OtherProcess.run(["--ledger", kiosk.path.path, "sync"], sandbox.environment).status == 0)
        let done = Told<String?>()
        let again = try await Ledger.open(at: kiosk.path)
        _ = try await CaptureFactory.makeFlow(
            in: again, configuration: configuration, clientKey: "k",
            callbacks: CaptureCallbacks(onComplete: { results, _ in done.add(results[.selfie]?.captureID) }))
        #expect(try await done.wait(for: 1) == [captured.captureID])
        await again.close()
    }

    @Test func `S69 cron's worker leaves what waits for a host's verifier alone, and calls it no work of its own`() async throws
    {
        let sandbox = try RunningSandbox()
        let kiosk = try await Kiosk()
        let configuration = Kiosk.configuration([.selfie])
        let asked = Told<Bool>()
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: configuration, clientKey: "k",
            verifier: ScriptedVerifier { _, _, _ in
                asked.add(true)
                try? await Task.sleep(for: .seconds(3600))
                return .failed(message: "cancelled")
            }, callbacks: .ignoring)
        try await flow.take(.selfie)
        _ = try await asked.wait(for: 1)
        await kiosk.close()
        #expect(try await OtherProcess.run(["--ledger", kiosk.path.path, "sync"], sandbox.environment).status == 0)
        let done = Told<String>()
        let again = try await Ledger.open(at: kiosk.path)
        let left = try await again.flow(flow.sessionID).state()
        try #require(left.phase == .waitingForVerification)
        try #require((left.nextAttempt ?? .now) < Date(timeIntervalSinceNow: 60))
        _ = try await CaptureFactory.makeFlow(
            in: again, configuration: configuration, clientKey: "k", verifier: ScriptedVerifier(),
            callbacks: CaptureCallbacks(onComplete: { _, payloads in
                done.add(String(decoding: payloads[.selfie]?.json ?? Data(), as: UTF8.self))
            }))
        #expect(try await done.wait(for: 1) == [#"{"piece":"selfie"}"#])
        await again.close()
    }

    @Test func `S86 what other processes appended while no host ran is reported to the host that comes next, once`()
        async throws
    {
        let kiosk = try await Kiosk()
        let reporter = AnalyticsTests.Reporter()
        FlowAnalytics.reporter = reporter
        defer { FlowAnalytics.reporter = nil }
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), callbacks: .ignoring)
        _ = try await reporter.told.wait(for: 1)
        await kiosk.close()
        #expect(try await OtherProcess.run(["--ledger", kiosk.path.path, "session", "exit", flow.sessionID]).status == 0)
        for _ in 1...2 {
            let next = try await Ledger.open(at: kiosk.path)
            let names = try await reporter.told.wait(for: 2).map(\.name)
            #expect(names == ["identity_capture_started", "identity_capture_exited"])
            await next.close()
        }
    }

    @Test func `a session begun by the command goes on in the library under the same client key`() async throws {
        let kiosk = try await Kiosk()
        let file = kiosk.folder.appending(path: "configuration.json")
        let configuration = Kiosk.configuration([.selfie])
        try JSONEncoder().encode(configuration).write(to: file)
        let begun = try await OtherProcess.run([
            "--ledger", kiosk.path.path, "--json", "session", "start", "--config", file.path, "--client-key", "booking-1",
        ])
        #expect(begun.status == 0, "\(begun.output)")
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: configuration, clientKey: "booking-1", callbacks: .ignoring)
        #expect(begun.output.contains(flow.sessionID))
        let followed = Told<String>()
        let ledger = kiosk.ledger
        let following = Task { try await ledger.follow(as: "watch") { followed.add($0.type) } }
        _ = try await followed.wait(for: 1)
        #expect(try await OtherProcess.run(["--ledger", kiosk.path.path, "session", "exit", flow.sessionID]).status == 0)
        #expect(try await followed.wait(for: 2) == ["session_started", "session_exited"])
        following.cancel()
        try await following.value
        await kiosk.close()
    }

    @Test func `the hologram API is asked once, by the transport's rules, with the seed's own call`() async throws {
        let sandbox = try RunningSandbox()
        for (name, value) in sandbox.environment { unsafe setenv(name, value, 1) }
        defer { for name in sandbox.environment.keys { unsafe unsetenv(name) } }
        let kiosk = try await Kiosk()
        IDServiceAPI.ledger = kiosk.ledger
        defer { IDServiceAPI.ledger = nil }
        func ask(_ video: String, _ card: String) async -> Result<HologramDetectionResponse, LedgerError> {
            await withCheckedContinuation { continuation in
                IDServiceAPI.detectHologram(
                    body: .init(video: video, rotate: 90, cardType: card, transactionId: "tx-1")
                ) { continuation.resume(returning: $0) }
            }
        }
        let video = try Data(contentsOf: Kiosk.fixture("hologram.mp4")).base64EncodedString()
        let response = try await ask(video, "NEW-ID").get()
        #expect(response.controlResults.first { $0.entryType == "HOLOGRAM" }?.entryScore != nil)
        func code(_ result: Result<HologramDetectionResponse, LedgerError>) -> String? {
            if case .failure(let error) = result { error.code.rawValue } else { nil }
        }
        #expect(code(await ask(video, "PASSPORT")) == "card_type_unknown")
        #expect(code(await ask("not base64!", "NEW-ID")) == "video_not_base64")
        await kiosk.close()
    }
}
