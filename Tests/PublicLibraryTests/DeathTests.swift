import CaptureLedger
import Foundation
import Testing

/// Verifiers that take their process along.
@Suite(.serialized, .timeLimit(.minutes(1))) struct DeathTests {
    /// What a host does from its start until its verifier kills it.
    static func hostThatDies(_ ledger: URL, asked: URL) async throws {
        let ledger = try await Ledger.open(at: ledger)
        let flow = try await CaptureFactory.makeFlow(
            in: ledger, configuration: Kiosk.configuration([.selfie]), clientKey: "k",
            verifier: ScriptedVerifier { result, _, _ in
                guard let file = fopen(asked.path, "a") else { return .failed(message: "no file") }
                fputs(result.captureID + "\n", file)
                fclose(file)
                kill(getpid(), SIGKILL)
                return .failed(message: "alive")
            }, callbacks: .ignoring)
        if try await flow.state().currentPiece == .selfie { try await flow.take(.selfie) }
        try await Task.sleep(for: .seconds(20))
    }

    @Test
    func `S69 S92 a capture whose verifier killed three processes is parked by name, and asked about once more on request`()
        async throws
    {
        let kiosk = try await Kiosk()
        await kiosk.close()
        let asked = kiosk.folder.appending(path: "asked")
        for _ in 1...3 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = kiosk.path.path as String, asked = asked.path as String] in
                try await DeathTests.hostThatDies(URL(filePath: path), asked: URL(filePath: asked))
            }
        }
        let captures = try String(contentsOf: asked, encoding: .utf8).split(separator: "\n")
        #expect(captures.count == 3 && Set(captures).count == 1)

        // The fourth host is not put at risk, and its other guests are served.
        let ledger = try await Ledger.open(at: kiosk.path)
        let verifier = ScriptedVerifier()
        let done = Told<[String?]>()
        func make(_ key: String) async throws -> CaptureFlow {
            try await CaptureFactory.makeFlow(
                in: ledger, configuration: Kiosk.configuration([.selfie]), clientKey: key, verifier: verifier,
                callbacks: CaptureCallbacks(onComplete: { results, _ in done.add([key, results[.selfie]?.captureID]) }))
        }
        _ = try await make("k")
        let types = try await VerifierTests.types(ledger, until: "piece_delivery_parked")
        #expect(types.count { $0 == "piece_captured" } == 1)
        let other = try await make("l").take(.selfie)
        #expect(try await done.wait(for: 1) == [["l", other.captureID]])
        #expect(verifier.calls.map(\.captureID) == [other.captureID])
        let listed = try await OtherProcess.run(["--ledger", kiosk.path.path, "--json", "sync", "list", "--status", "parked"])
        #expect(listed.output.contains(#""cause":"quarantined""#), "\(listed.output)")

        // A person has it tried again, from another process.
        let requeued = try await OtherProcess.run(["--ledger", kiosk.path.path, "sync", "requeue", "--cause", "quarantined"])
        #expect(requeued.status == 0)
        #expect(try await done.wait(for: 2).last == ["k", captures.first.map(String.init)])
        await ledger.close()
    }

    @Test func `S69 S92 a verifier whose process died is asked by the next process, with the same capture`() async throws {
        let kiosk = try await Kiosk()
        await kiosk.close()
        let asked = kiosk.folder.appending(path: "asked")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = kiosk.path.path as String, asked = asked.path as String] in
            try await DeathTests.hostThatDies(URL(filePath: path), asked: URL(filePath: asked))
        }
        let ledger = try await Ledger.open(at: kiosk.path)
        let verifier = ScriptedVerifier()
        let done = Told<String?>()
        _ = try await CaptureFactory.makeFlow(
            in: ledger, configuration: Kiosk.configuration([.selfie]), clientKey: "k", verifier: verifier,
            callbacks: CaptureCallbacks(onComplete: { results, _ in done.add(results[.selfie]?.captureID) }))
        let completed = try await done.wait(for: 1).first ?? nil
        let before = try String(contentsOf: asked, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(before == [completed] && verifier.calls.map(\.captureID) == before)
        await ledger.close()
    }

    @Test func `S67 S69 what a person has tried again from another process is asked about soon, without an event to say so`()
        async throws
    {
        var options = LedgerOptions()
        options.verification.firstPause = .seconds(3000)
        let kiosk = try await Kiosk(options)
        let done = Told<Int>()
        let verifier = ScriptedVerifier { result, _, nth in nth == 1 ? .failed(message: "No connection") : .yes(result.piece) }
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), verifier: verifier,
            callbacks: CaptureCallbacks(onComplete: { results, _ in done.add(results.count) }))
        try await flow.take(.selfie)
        _ = try await flow.first { $0.lastMessage != nil }
        let listed = try await OtherProcess.run([
            "--ledger", kiosk.path.path, "--json", "sync", "list", "--session", flow.sessionID,
        ])
        let delivery = try #require(listed.output.firstMatch(of: /"id":"([^"]+)"/)?.1, "\(listed.output)")
        let requeued = try await OtherProcess.run(["--ledger", kiosk.path.path, "sync", "requeue", String(delivery)])
        #expect(requeued.status == 0)
        #expect(try await done.wait(for: 1) == [1])
        #expect(verifier.calls.count == 2)
        await kiosk.close()
    }
}
