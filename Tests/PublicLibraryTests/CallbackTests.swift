import CaptureLedger
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct CallbackTests {
    struct Call: Sendable, Equatable {
        let name: String
        let captures: [String]
    }

    static func callbacks(_ told: Told<Call>) -> CaptureCallbacks {
        CaptureCallbacks(
            onComplete: { results, _ in
                told.add(Call(name: "complete", captures: results.values.map(\.captureID).sorted()))
            },
            onExit: { told.add(Call(name: "exit", captures: [])) },
            onNothingLeftToCapture: { told.add(Call(name: "nothing left", captures: [])) })
    }

    @Test func `S16 S92 a completion that was told is not told again, and one that nobody heard is told to the next host`()
        async throws
    {
        let kiosk = try await Kiosk()
        let configuration = Kiosk.configuration([.selfie])
        // This host leaves before its verifier has answered.
        let first = Told<Call>()
        let asked = Told<Bool>()
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: configuration, clientKey: "k",
            verifier: ScriptedVerifier { _, _, _ in
                asked.add(true)
                try? await Task.sleep(for: .seconds(3600))
                return .failed(message: "cancelled")
            }, callbacks: Self.callbacks(first))
        let captured = try await flow.take(.selfie)
        _ = try await asked.wait(for: 1)
        #expect(try await first.wait(for: 1).map(\.name) == ["nothing left"])
        await kiosk.close()

        // The next one verifies; what the first was told is not told again.
        let second = Told<Call>()
        let ledger = try await Ledger.open(at: kiosk.path)
        let verifier = ScriptedVerifier()
        func make(_ told: Told<Call>) async throws -> CaptureFlow {
            try await CaptureFactory.makeFlow(
                in: ledger, configuration: configuration, clientKey: "k", verifier: verifier, callbacks: Self.callbacks(told))
        }
        _ = try await make(second)
        #expect(try await second.wait(for: 1) == [Call(name: "complete", captures: [captured.captureID])])
        #expect(verifier.calls.map(\.captureID) == [captured.captureID])
        // In the same process, and in the next.
        let third = Told<Call>()
        _ = try await make(third).state()
        await ledger.close()
        let fourth = Told<Call>()
        let again = try await Ledger.open(at: kiosk.path)
        let last = try await CaptureFactory.makeFlow(
            in: again, configuration: configuration, clientKey: "k", callbacks: Self.callbacks(fourth))
        #expect(try await last.first { $0.phase == .finished }.ending == .completed)
        // A session of its own shows that calls get through by now.
        let other = try await CaptureFactory.makeFlow(
            in: again, configuration: configuration, clientKey: "l", verifier: verifier, callbacks: Self.callbacks(fourth))
        let own = try await other.take(.selfie)
        #expect(
            try await fourth.wait(for: 2) == [
                Call(name: "nothing left", captures: []), Call(name: "complete", captures: [own.captureID]),
            ])
        await again.close()
        #expect(third.all.isEmpty && fourth.all.count == 2 && second.all.count == 1)
    }

    @Test func `callbacks of a session come one at a time, and a slow one holds up neither its session nor another`()
        async throws
    {
        let kiosk = try await Kiosk()
        let told = Told<String>()
        let release = DispatchSemaphore(value: 0)
        let slow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), verifier: ScriptedVerifier(),
            callbacks: CaptureCallbacks(
                onComplete: { _, _ in told.add("complete") },
                onNothingLeftToCapture: {
                    told.add("nothing left")
                    release.wait()
                    told.add("released")
                }))
        try await slow.take(.selfie)
        #expect(try await told.wait(for: 1) == ["nothing left"])
        #expect(try await slow.first { $0.phase == .finished }.ending == .completed)
        let quick = Told<Bool>()
        let other = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), verifier: ScriptedVerifier(),
            callbacks: CaptureCallbacks(onComplete: { _, _ in quick.add(true) }))
        try await other.take(.selfie)
        _ = try await quick.wait(for: 1)
        #expect(told.all == ["nothing left"])
        release.signal()
        #expect(try await told.wait(for: 3) == ["nothing left", "released", "complete"])
        await kiosk.close()
    }

    @Test func `a callback may use its flow and the ledger, and make another session`() async throws {
        let kiosk = try await Kiosk()
        let ledger = kiosk.ledger
        let told = Told<String>()
        let flow = try await CaptureFactory.makeFlow(
            in: ledger, configuration: Kiosk.configuration([.selfie]), clientKey: "one", verifier: ScriptedVerifier(),
            callbacks: CaptureCallbacks(onComplete: { results, _ in
                // A host that blocks its callback on the library must not hang it.
                let done = DispatchSemaphore(value: 0)
                Task {
                    defer { done.signal() }
                    let again = try? await ledger.flow(results[.selfie]?.sessionID ?? "")
                    told.add((try? await again?.state().ending?.rawValue) ?? "no state")
                    let next = try? await CaptureFactory.makeFlow(
                        in: ledger, configuration: Kiosk.configuration([.selfie]), clientKey: "two", callbacks: .ignoring)
                    try? await next?.exit()
                    told.add((try? await next?.state().ending?.rawValue) ?? "no state")
                }
                done.wait()
                told.add("done")
            }))
        try await flow.take(.selfie)
        #expect(try await told.wait(for: 3) == ["completed", "exited", "done"])
        await kiosk.close()
    }

    @Test func `two hundred flows at once, with verifiers that re-enter and callbacks that sleep, all complete once`()
        async throws
    {
        let kiosk = try await Kiosk(.impatient)
        let told = Told<String>()
        let verifier = ScriptedVerifier { result, flow, nth in
            try? await flow.dropPendingPieces([.passportBack])
            _ = try? await flow.state()
            return nth == 1 && result.captureID.hasSuffix("0") ? .failed(message: "again") : .yes(result.piece)
        }
        let ledger = kiosk.ledger
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let flow = try await CaptureFactory.makeFlow(
                        in: ledger, configuration: Kiosk.configuration([.selfie, .passportBack]), clientKey: "k\(index)",
                        verifier: verifier,
                        callbacks: CaptureCallbacks(
                            onComplete: { results, _ in
                                Thread.sleep(forTimeInterval: 0.02)
                                told.add(results[.selfie]?.sessionID ?? "")
                            },
                            onNothingLeftToCapture: { Thread.sleep(forTimeInterval: 0.02) }))
                    try await flow.take(.selfie)
                }
            }
            try await group.waitForAll()
        }
        let sessions = try await told.wait(for: 200)
        #expect(Set(sessions).count == 200)
        await kiosk.close()
        #expect(told.all.count == 200)
    }
}
