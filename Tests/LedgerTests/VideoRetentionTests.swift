import DeliveryMachine
import Sandbox
import SessionDomain
import SystemCalls
import Testing
import Vault

@testable import CaptureLedger
@testable import CaptureLedgerSync

/// S80: the hologram video is not left behind, whatever ends its delivery.
@Suite struct VideoRetentionTests {
    enum Ending: String, CaseIterable, Sendable {
        case answered, terminalFailure, timeLimit, strictAnswered, strictUnclear

        var rules: [SandboxScenario.Rule] {
            switch self {
            case .answered, .strictAnswered: []
            case .terminalFailure: [.init(fault: .status(413, headers: [], isStored: false, isBeforeReading: false))]
            case .timeLimit: [.init(fault: .status(503, headers: [], isStored: false, isBeforeReading: false))]
            case .strictUnclear: [.init(fault: .drop(.afterStoring, isReset: true))]
            }
        }

        var isStrict: Bool { self == .strictAnswered || self == .strictUnclear }
        var status: String { self == .answered || self == .strictAnswered ? "verified" : "parked" }
        var purge: String { self == .answered || self == .strictAnswered ? "answered" : "delivery_ended" }
    }

    @Test(arguments: Ending.allCases) func `S80 the video goes and its events stay, and no file has a byte of it`(
        ending: Ending
    ) throws {
        let sandbox = try Sandbox(scenario: SandboxScenario(rules: ending.rules))
        defer { sandbox.stop() }
        let clock = TurnedClock()
        let temporary = try TemporaryLedger(clock: LedgerClock { clock.now })
        temporary.ledger.closeAndWait()
        try Self.name(destination: ending.isStrict ? "media_rule: \"strict\"" : "in_flight_limit: 1", temporary.path)
        let ledger = try SyncWorkerTests.Site.open(temporary.path, sandbox, clock)
        defer { ledger.closeAndWait() }
        var request = StartRequest(configuration: configuration([.hologram]))
        request.transactionID = "tx-1"
        let session = try ledger.start(request).session
        _ = try ledger.startHologram(session, CommandOptions())
        let captured = try ledger.capture(
            CaptureRequest(session: session, piece: .hologram, path: fixture("hologram.mp4"), source: .camera))
        guard case .captured(let capture, _) = captured.outcome else {
            Issue.record("\(captured.outcome)")
            return
        }
        _ = try ledger.confirm(.hologram, in: session, CommandOptions())
        let sealed = try readFile("\(temporary.path)/media/\(capture.text.suffix(2))/\(capture.text)")
        let plain = try readFile(fixture("hologram.mp4"))
        let parts = [
            Array(sealed[sealed.count / 2..<sealed.count / 2 + 32]), Array(plain[plain.count / 2..<plain.count / 2 + 32]),
        ]
        #expect(try files(under: [temporary.folder], holding: [parts[0]]).count == 1)

        for _ in 0..<40 {
            if try ledger.deliveries(of: session).allSatisfy({ $0.status != .waiting }) { break }
            // a worker comes by every few hours
            clock.advance(5 * 3_600_000)
            _ = try ledger.synchronizeAndWait()
        }
        let delivery = try #require(try ledger.deliveries(of: session).first)
        #expect(delivery.status.name == ending.status)
        if ending == .timeLimit { #expect(try ledger.attempts(of: delivery).last?.explanation == "too_old") }
        let types = try ledger.timeline(session)
        #expect(types.filter { $0.type == "media_purged" }.map(\.reason) == [ending.purge])
        #expect(try files(under: [temporary.folder], holding: parts) == [])
        #expect(try tree(temporary.path + "/media") == [])
        #expect(try ledger.proveDeleted(capture: capture).isProved)
        #expect(try dump(ledger, "media_destruction") == [])
        if ending.isStrict, ending.status == "parked" {
            #expect(delivery.cause == "media_destroyed")
            // a new recording is asked for
            #expect(try ledger.session(session).flow.currentPiece == .hologram)
        }
        ledger.closeAndWait()
        try Oracle.findsNothingWrong(temporary.path)
    }

    private static func name(destination: String, _ ledger: String) throws {
        let path = ledger + "/capture-ledger.json5"
        let text = String(decoding: try readFile(path), as: UTF8.self)
        let changed = text.replacing(
            "  destinations: {", with: "  destinations: { hologram: { url: \"http://127.0.0.1:9/\", \(destination) },")
        try #require(changed != text)
        try FileSystem.remove(path)
        try FileDescriptor(opening: path, .createNew).write(Array(changed.utf8))
    }
}
