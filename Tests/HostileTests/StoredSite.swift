import DeliveryMachine
import SessionDomain
import Sync
import Synchronization
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger
@testable import CaptureLedgerSync

/// A ledger whose destinations are a hostile server, over TLS, and a clock that tests turn.
final class StoredSite {
    let server: HostileServer
    let clock = TurnedClock()
    let folder: String
    var ledger: Ledger

    var path: String { folder + "/my.ledger" }

    init(settings: String = "") throws {
        server = try HostileServer()
        folder = try FileSystem.makeTemporaryFolder()
        let turned = clock
        var create = CreateOptions(configurationFolder: folder + "/config")
        create.clock = LedgerClock { turned.now }
        let path = folder + "/my.ledger"
        _ = try Ledger.create(folder: path, options: create)
        let file = path + "/capture-ledger.json5"
        let text = String(decoding: try FileDescriptor(opening: file, .read).readToEnd(limit: 1 << 20), as: UTF8.self)
        let transfer = #"transfer: { ca_file: "\#(server.authority)", total_timeout_ms: 5000 }"#
        let destinations = """
            destinations: {
              verifier: { url: "\(server.url("/verifier", port: "tls"))", \(transfer) \(settings) },
              hologram: { url: "\(server.url("/hologram", port: "tls"))", \(transfer) \(settings) },
            """
        let parts = text.split(separator: "destinations: {", maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        _ = try FileSystem.remove(file)
        try FileDescriptor(opening: file, .createNew).write(Array((parts[0] + destinations + parts[1]).utf8))
        ledger = try Self.open(path, clock)
    }

    deinit {
        ledger.closeAndWait()
        _ = try? ChildProcess.run(path: "/bin/rm", arguments: ["rm", "-rf", folder], limitMilliseconds: 10_000, outputLimit: 0)
    }

    private static func open(_ path: String, _ clock: TurnedClock) throws -> Ledger {
        var options = LedgerOptions()
        options.clock = LedgerClock { clock.now }
        return try Ledger.open(folder: path, options: options)
    }

    /// As another process: what was in memory is gone.
    func reopen() throws {
        ledger.closeAndWait()
        ledger = try Self.open(path, clock)
    }

    func start(_ pieces: [Piece]) throws -> SessionID {
        var configuration = CaptureConfiguration(pieces: pieces, flowTitle: "Check in", analyticsContext: "kiosk_7")
        configuration.checks = .off
        if pieces.contains(.hologram) { configuration.hologramCardType = .NEW_TC_ID }
        var request = StartRequest(configuration: configuration)
        if pieces.contains(.hologram) { request.transactionID = "tx-1" }
        return try ledger.start(request).session
    }

    /// Captures and confirms; gives the delivery that follows from it.
    @discardableResult
    func capture(_ piece: Piece, _ file: String? = nil, in session: SessionID) throws -> DeliveryID {
        if piece == .hologram { _ = try ledger.startHologram(session, CommandOptions()) }
        var request = CaptureRequest(session: session, piece: piece, path: Self.fixture(file ?? piece.fixture), source: .camera)
        if piece == .hologram { request.rotation = 90 }
        guard case .captured = try ledger.capture(request).outcome else {
            throw ServerProgram.Broken(reason: "\(piece) was not captured")
        }
        _ = try ledger.confirm(piece, in: session, CommandOptions())
        return try #require(try ledger.deliveries(of: session).last).id
    }

    static func fixture(_ name: String) -> String {
        let here = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return here.dropLast(3).joined(separator: "/") + "/Fixtures/" + name
    }

    func sync() throws -> SyncReport {
        var options = SyncOptions()
        options.patienceMilliseconds = 0
        guard case .finished(let report) = try ledger.synchronizeAndWait(options) else {
            throw ServerProgram.Broken(reason: "another run works")
        }
        return report
    }

    /// Runs an hour and a bit apart until nothing is left.
    func drain(rounds: Int = 30) throws -> SyncReport {
        var report = try sync()
        for _ in 0..<rounds where report.left > 0 {
            clock.advance(3_700_000)
            report = try sync()
        }
        return report
    }

    /// Nothing is wrong with the ledger, by its own account and by the oracle's, and with what the server saw.
    func everythingIsSound(deliveries: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let report = try ledger.verify()
        #expect(report.isSound, "\(report.problems)", sourceLocation: sourceLocation)
        ledger.closeAndWait()
        let judged = try ChildProcess.run(
            path: "/usr/bin/env",
            arguments: [
                "env", "python3", Self.fixture("") + "../Tests/oracle.py", path, "--no-orphans",
            ], limitMilliseconds: 120_000, outputLimit: 1 << 20)
        #expect(
            judged.end == .exited(0), "\(String(decoding: judged.output, as: UTF8.self))", sourceLocation: sourceLocation)
        let verdict = try server.verdict(deliveries: deliveries)
        #expect(verdict.problems.isEmpty, "\(verdict.problems)", sourceLocation: sourceLocation)
    }
}

extension Piece {
    fileprivate var fixture: String {
        switch self {
        case .passportBack: "passport-back.jpg"
        case .selfie: "selfie.jpg"
        case .hologram: "hologram.mp4"
        default: "passport-front.jpg"
        }
    }
}

/// A clock that stands still until it is turned.
final class TurnedClock: Sendable {
    private let time = Mutex<Int64>(1_800_000_000_000)
    var now: Int64 { time.withLock { $0 } }
    func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}
