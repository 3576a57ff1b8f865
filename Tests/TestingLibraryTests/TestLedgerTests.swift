import CaptureLedger
import CaptureLedgerTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct TestLedgerTests {
    private func start(_ test: TestLedger, _ pieces: [Piece]) async throws -> CaptureFlow {
        var configuration = CaptureConfiguration(pieces: pieces, flowTitle: "Check in")
        configuration.checks = .off
        if pieces.contains(.hologram) { configuration.hologramCardType = .NEW_TC_ID }
        return try await CaptureFactory.makeFlow(
            in: test.ledger, configuration: configuration, callbacks: CaptureCallbacks(onComplete: { _, _ in }))
    }

    @Test func `a ledger for a test leaves nothing behind, and two of them share nothing`() async throws {
        var first: TestLedger? = try await TestLedger()
        let second = try await TestLedger()
        let folder = try #require(first?.folder)
        let flow = try await start(second, [.selfie])
        await #expect { _ = try await first?.ledger.flow(flow.sessionID) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "no_such_session"
        }
        #expect(FileManager.default.fileExists(atPath: folder.path))
        await first?.close()
        first = nil
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        await second.close()
    }

    @Test func `S49 a capture whose scripted check fails is refused, and the next one is taken`() async throws {
        let checks = ScriptedChecks([.passportFront: [.failed(.blurryPhoto)]])
        let test = try await TestLedger(checks: checks)
        let flow = try await CaptureFactory.makeFlow(
            in: test.ledger, configuration: CaptureConfiguration(pieces: [.passportFront], flowTitle: "Check in"),
            callbacks: CaptureCallbacks(onComplete: { _, _ in }))
        func capture() async throws -> CaptureReceipt {
            try await flow.capture(.passportFront, file: test.sample(for: .passportFront), source: .camera)
        }
        guard case .refused(.blurryPhoto) = try await capture().outcome else {
            Issue.record("a blurred page was taken")
            return
        }
        #expect(try await flow.state().lastFailure == .blurryPhoto)
        guard case .captured = try await capture().outcome else {
            Issue.record("a good page was refused")
            return
        }
        try await flow.confirm(.passportFront)
        #expect(checks.checked == [.passportFront, .passportFront])
        #expect(try await test.ledger.checkPending().left == 0)
        await test.close()
    }

    @Test func `the virtual clock gives the log its times`() async throws {
        let clock = VirtualClock(startingAt: Date(timeIntervalSince1970: 1_800_000_000))
        let test = try await TestLedger(clock: clock)
        let flow = try await start(test, [.selfie])
        clock.advance(by: .seconds(90))
        _ = try await flow.capture(.selfie, file: test.sample(for: .selfie), source: .camera)
        var times: [Int64] = []
        let session = flow.sessionID
        let seen = Task {
            var times: [Int64] = []
            for await delivered in Self.followed(test.ledger) where delivered.sessionID == session {
                times.append(delivered.recordedAtMilliseconds)
                if times.count == 2 { return times }
            }
            return times
        }
        times = await seen.value
        #expect(times == [1_800_000_000_000, 1_800_000_090_000])
        await test.close()
    }

    @Test func `a wall clock that jumps a month ends no session and is on record`() async throws {
        let test = try await TestLedger()
        var configuration = CaptureConfiguration(pieces: [.selfie], flowTitle: "Check in")
        configuration.checks = .off
        configuration.deadlineMilliseconds = 3_600_000
        let flow = try await CaptureFactory.makeFlow(
            in: test.ledger, configuration: configuration, callbacks: CaptureCallbacks(onComplete: { _, _ in }))
        test.clock.jump(by: .seconds(30 * 86_400))
        _ = try await flow.capture(.selfie, file: test.sample(for: .selfie), source: .camera)
        try await flow.confirm(.selfie)
        var jumps: [String] = []
        for await delivered in Self.followed(test.ledger) {
            if delivered.type == "clock_adjusted" { jumps.append(delivered.facts) }
            if delivered.type == "piece_confirmed" { break }
        }
        #expect(jumps.count == 1)
        #expect(try await flow.state().phase == .waitingForVerification)
        await test.close()
    }

    private static func followed(_ ledger: Ledger) -> AsyncStream<Ledger.Delivered> {
        AsyncStream { continuation in
            let task = Task { try? await ledger.follow(as: "test") { continuation.yield($0) } }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    @Test func `samples are taken in for every piece, and no two are alike`() async throws {
        let test = try await TestLedger()
        let flow = try await start(test, [.passportFront, .passportBack, .selfie])
        for piece in [Piece.passportFront, .passportBack, .selfie] {
            let receipt = try await flow.capture(piece, file: test.sample(for: piece), source: .camera)
            #expect(receipt.isCaptured, "\(piece)")
            try await flow.confirm(piece)
        }
        let video = try await start(test, [.hologram])
        let controller = HologramController(flow: video)
        try await controller.startVideo()
        let receipt = try await controller.finishVideo(test.sample(for: .hologram), rotate: 90)
        #expect(receipt.isCaptured)
        let two = [try Data(contentsOf: test.sample(for: .selfie)), try Data(contentsOf: test.sample(for: .selfie))]
        #expect(two[0] != two[1])
        await test.close()
    }

    @Test func `other systems can read the samples`() async throws {
        let test = try await TestLedger()
        let picture = try test.sample(for: .selfie)
        let reader = Process()
        reader.executableURL = URL(filePath: "/usr/bin/env")
        reader.arguments = [
            "python3", "-c",
            """
            import sys, zlib, struct
            data = open(sys.argv[1], 'rb').read()
            assert data[:8] == b'\\x89PNG\\r\\n\\x1a\\n'
            at, pixels = 8, b''
            while at < len(data):
                size, name = struct.unpack('>I4s', data[at:at + 8])
                body = data[at + 8:at + 8 + size]
                assert struct.unpack('>I', data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(name + body)
                if name == b'IDAT': pixels += body
                at += 12 + size
            assert len(zlib.decompress(pixels)) == 32 * 49
            """, picture.path,
        ]
        try reader.run()
        reader.waitUntilExit()
        #expect(reader.terminationStatus == 0)
        await test.close()
    }

    @Test func `an event list that differs is shown side by side`() async throws {
        let test = try await TestLedger()
        let flow = try await start(test, [.selfie])
        try await test.expect(["session_started"], of: flow)
        await #expect { try await test.expect(["session_started", "piece_captured selfie"], of: flow) } throws: {
            "\($0)".contains("! expected piece_captured selfie, found —")
        }
        await test.close()
    }

    @Test func `S37 the scripted runner counts loads, releases and overlapping calls`() throws {
        let runner = ScriptedRunner(["glare.tflite": { Tensor(data: $0, shape: [1, $0.count / 4]) }])
        var model: (any LoadedModel)? = try runner.loadModel(at: URL(filePath: "/models/glare.tflite"))
        #expect(try model?.run(Data(count: 8)).shape == [1, 2])
        #expect(runner.counts.loads == 1 && runner.counts.releases == 0 && runner.counts.mostAtOnce == 1)
        model = nil
        #expect(runner.counts.releases == 1)
        #expect(throws: ScriptedRunner.NoSuchModel.self) { try runner.loadModel(at: URL(filePath: "/models/other.tflite")) }
    }
}

extension CaptureReceipt {
    fileprivate var isCaptured: Bool { if case .captured = outcome { true } else { false } }
}
