import MediaChecks
import SessionDomain
import SystemCalls
import Testing

@testable import CaptureLedger

/// The page that is kept of a capture which passed: known wherever its original is.
@Suite struct CropTests {
    private let temporary: TemporaryLedger
    private let session: SessionID
    private let capture: CaptureID

    init() throws {
        temporary = try TemporaryLedger(judge: ScriptedJudge())
        session = try temporary.start([.passportFront])
        let done = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true)
        guard case .captured(let id, _) = done.outcome else { throw LedgerError.noSession() }
        capture = id
    }

    @Test func `S53 K31 it is sealed under its own digest, opens as it was made, and its opening is on record`() throws {
        let crop = try #require(try temporary.ledger.session(session).judgements[.passportFront]?.crop)
        #expect(crop.bytes == Int64(ScriptedJudge.jpeg.count) && crop.width == 1_200)
        let opened = try temporary.ledger.openCrop(capture)
        #expect(Array(try opened.read(at: 0, limit: 1_000)) == ScriptedJudge.jpeg)
        #expect(String(decoding: try bytes(temporary.path + "/access.jsonl"), as: UTF8.self).contains("crop_opened"))
        let report = try temporary.ledger.verify()
        #expect(report.isSound && report.media == 2 && report.openedMedia == 2)
        try Oracle.findsNothingWrong(temporary.path)
    }

    @Test func `an altered crop is found, a missing one too, and doctor keeps what is named`() throws {
        let crop = try #require(try temporary.ledger.session(session).judgements[.passportFront]?.crop)
        #expect(try temporary.ledger.doctor(fix: true).findings.filter(\.fixed).isEmpty)
        let path = try #require(try sealedFiles(temporary.path).first { $0.hasSuffix(crop.id.text) })
        let whole = try bytes(path)
        try FileDescriptor(opening: path, .write).write([whole[0] ^ 1])
        #expect(try Set(temporary.ledger.verify().problems.map(\.code.rawValue)) == ["media_altered", "media_unreadable"])
        _ = try FileSystem.remove(path)
        #expect(try temporary.ledger.verify().problems.map(\.code.rawValue) == ["media_missing"])
        #expect(try temporary.ledger.doctor(fix: false).findings.contains { $0.code == "media_missing" })
    }

    @Test func `an erasure takes it along, and a backup and its restore bring it back`() throws {
        let backup = temporary.folder + "/one.backup"
        #expect(try temporary.ledger.backup(to: backup).media == 2)
        _ = try Ledger.restore(from: backup, to: temporary.folder + "/restored")
        let restored = try Ledger.open(folder: temporary.folder + "/restored")
        defer { restored.closeAndWait() }
        #expect(try Array(restored.openCrop(capture).read(at: 0, limit: 1_000)) == ScriptedJudge.jpeg)
        #expect(try temporary.ledger.erase(session).media == 2)
        #expect(try sealedFiles(temporary.path).isEmpty)
        #expect(throws: LedgerError.self) { try temporary.ledger.openCrop(capture) }
        #expect(try temporary.ledger.verify().isSound)
        try Oracle.findsNothingWrong(temporary.path)
    }

    @Test func `a host is given the fields that the checks measured, also when it completes`() throws {
        let snapshot = try temporary.ledger.snapshot(of: session)
        #expect(snapshot.state.phase == .waitingForVerification)
        let queue = LedgerDeliveryQueue(temporary.ledger)
        let claim = try #require(
            try queue.claim(
                [.init(destination: .init("verifier"), limit: 1)], nowMilliseconds: temporary.ledger.clock.nowMilliseconds()
            )
            .first)
        #expect(try temporary.ledger.result(of: claim).fieldDetections == ScriptedJudge.fields)
        try queue.release([claim])
    }
}
