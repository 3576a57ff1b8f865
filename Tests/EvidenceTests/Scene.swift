import MediaChecks
import Sandbox
import SessionDomain
import Sync
import Synchronization
import SystemCalls
import Testing

@testable import CaptureLedger
@testable import CaptureLedgerSync

/// A ledger with one session of every kind of thing in it, each personal one marked: a front that was rejected and captured again, a
/// selfie, a hologram video that is destroyed after its answer. Removed with its owner.
final class Scene: Sendable {
    /// What is personal, as text that is found nowhere else, and that would be markup.
    static let subject = "Ada <b>Lovelace</b> 7f3a91"
    static let clientKey = "client-key-5d20c4"
    static let transaction = "transaction-88e1b0"
    static let reason = "<script>alert('9c0de1')</script>"
    static let staffReason = "staff-reason-41fa7e"
    static let payload = "payload-6b7712"
    static let markers = [subject, clientKey, transaction, reason, staffReason, payload]

    let folder: String
    let ledger: Ledger
    let session: SessionID
    private let sandbox: Sandbox

    var path: String { folder + "/my.ledger" }

    /// A whole session, made once, which tests only read.
    static let whole = Result { try Scene() }
    /// Exports of it, made once.
    static let exported = Result { try Archive(try whole.get().export()) }
    static let redacted = Result { try Archive(try whole.get().export(redacted: true)) }

    /// - Parameter delivers: the last capture, too.
    init(delivers: Bool = true) throws {
        folder = try FileSystem.makeTemporaryFolder()
        sandbox = try Sandbox(
            scenario: SandboxScenario(rules: [
                .init(
                    .init(piece: "passport_front", nth: .only([1])),
                    answer: .rejected(reason: Self.reason, staffReason: Self.staffReason, dropPieces: [])),
                .init(
                    .init(piece: "selfie"),
                    answer: .verified(payload: .object([.init("note", .string(Self.payload))]), dropPieces: [])),
            ]))
        _ = try Ledger.create(folder: folder + "/my.ledger", options: CreateOptions(configurationFolder: folder + "/config"))
        var options = LedgerOptions()
        options.judge = Judge(page: try readFile(fixture("passport-back.jpg")))
        options.environment = [
            "CAPTURE_LEDGER_VERIFIER_URL": sandbox.verifierURL, "CAPTURE_LEDGER_HOLOGRAM_URL": sandbox.hologramURL,
        ]
        ledger = try Ledger.open(folder: folder + "/my.ledger", options: options)
        var configuration = CaptureConfiguration(
            pieces: [.passportFront, .selfie, .hologram], flowTitle: "Check in", analyticsContext: "kiosk_7")
        configuration.checks = .required
        configuration.hologramCardType = .NEW_TC_ID
        var request = StartRequest(configuration: configuration)
        (request.subject, request.clientKey, request.transactionID) = (Self.subject, Self.clientKey, Self.transaction)
        session = try ledger.start(request).session
        try capture(.passportFront, "passport-front.jpg")
        try capture(.selfie, "selfie.jpg")
        _ = try ledger.startHologram(session, CommandOptions())
        try capture(.hologram, "hologram.mp4")
        try sync()
        try capture(.passportFront, "passport-front-retake.jpg")
        if delivers { try sync() }
    }

    deinit {
        ledger.closeAndWait()
        sandbox.stop()
        _ = try? ChildProcess.run(path: "/bin/rm", arguments: ["rm", "-rf", folder], limitMilliseconds: 10_000, outputLimit: 0)
    }

    private func capture(_ piece: Piece, _ file: String) throws {
        var request = CaptureRequest(session: session, piece: piece, path: fixture(file), source: .camera)
        if piece == .hologram { request.rotation = 90 }
        let captured = try ledger.capture(request)
        guard case .captured = captured.outcome else {
            throw LedgerError(code: .init(rawValue: "not_captured"), message: "\(captured.outcome)", remedy: "")
        }
        _ = try ledger.confirm(piece, in: session, CommandOptions())
    }

    func sync() throws {
        guard case .finished = try ledger.synchronizeAndWait(SyncOptions()) else {
            throw LedgerError(code: .init(rawValue: "busy"), message: "busy", remedy: "wait")
        }
    }

    /// Exports to a file of its own and gives its path.
    func export(redacted: Bool = false) throws -> String {
        let path = "\(folder)/\(SecureRandom.words().0).evidence"
        var options = EvidenceExportOptions()
        options.isRedacted = redacted
        let report = try ledger.exportEvidence(of: session, to: path, options: options)
        #expect(report.verdict.problems == [])
        return path
    }
}

/// Finds every capture good, and cuts a page out of passports.
private struct Judge: CaptureJudge {
    let page: [UInt8]

    func judge(
        _ source: any ByteSource, _ media: SniffedMedia, _ question: CheckQuestion, hologram: HologramSettings
    ) -> Judgement {
        var report = CheckReport(policyVersion: "standard-1")
        report.findings = [
            Finding(
                metric: "blur_score", value: 0.25, passed: true, direction: .atMost, threshold: 0.5, model: "ab12",
                policyVersion: "standard-1")
        ]
        guard question.piece == .passportFront else { return Judgement(report) }
        report.page = NormalizedRect(x: 0.1, y: 0.2, width: 0.75, height: 0.5)
        return Judgement(report, crop: RenderedCrop(bytes: page, width: 1600, height: 1200))
    }
}

func fixture(_ name: String) -> String {
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/") + "/Fixtures/" + name
}

func readFile(_ path: String) throws -> [UInt8] { try FileDescriptor(opening: path, .read).readToEnd(limit: 1 << 28) }

func contains(_ bytes: [UInt8], _ text: String) -> Bool { holds(bytes, Array(text.utf8)[...]) }

func holds(_ bytes: [UInt8], _ needle: ArraySlice<UInt8>) -> Bool {
    guard let first = needle.first else { return true }
    var rest = bytes[...]
    while let start = rest.firstIndex(of: first) {
        if rest[start...].starts(with: needle) { return true }
        rest = rest[(start + 1)...]
    }
    return false
}
