import Audit
import CaptureLedger
import SessionDomain
import SystemCalls
import TestSupport
import Testing
import Vault

/// Random sessions, captures, erasures and reopenings; then the verifier and the oracle are asked. The seed is printed.
@Suite struct RandomLedgerTests {
    private static let pictures = ["passport-front.jpg", "passport-back.jpg", "selfie.jpg", "passport-front-retake.jpg"]

    @Test func `S98 random sessions and erasures leave a ledger that proves itself`() throws {
        var random = SeededRandom(seed: SeededRandom.seed(for: "random ledger"))
        let workshop = try Workshop()
        _ = try Ledger.create(folder: workshop.ledger, options: CreateOptions(configurationFolder: workshop.path + "/config"))
        var ledger = try Ledger.open(folder: workshop.ledger)
        var sessions: [SessionID] = []
        var erased: Set<SessionID> = []
        for _ in 0..<120 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...1: sessions.append(try start(ledger, &random))
            case 2:
                if let session = sessions.randomElement(using: &random), random.one(in: 3) {
                    _ = try ledger.erase(session)
                    erased.insert(session)
                }
            case 3:
                ledger.closeAndWait()
                ledger = try Ledger.open(folder: workshop.ledger)
            default: if let session = sessions.randomElement(using: &random) { try play(session, ledger, &random) }
            }
        }
        let views = try sessions.map { try ledger.session($0).flow }
        let report = try ledger.read { (context) throws(LedgerError) in
            do {
                return try LedgerVerifier(
                    context.connection, files: SealedFiles(ledger: workshop.ledger), vault: ledger.vault
                ).verify()
            } catch { throw LedgerError(code: .init(rawValue: "unreadable"), message: "\(error)", remedy: "") }
        }
        #expect(report.problems == [])
        ledger.closeAndWait()

        let verdict = try Oracle.ask(workshop)
        #expect(verdict["sessions"]?.asInt == sessions.count)
        #expect((verdict["erased"]?.asInt ?? 0) == erased.count)
        #expect(verdict["media_opened"]?.asInteger == report.openedMedia)
        let again = try Ledger.open(folder: workshop.ledger)
        #expect(try sessions.map { try again.session($0).flow } == views)
        again.closeAndWait()
    }

    private func start(_ ledger: Ledger, _ random: inout SeededRandom) throws -> SessionID {
        let pieces = [Piece.passportFront, .passportBack, .selfie].shuffled(using: &random).prefix(
            Int.random(in: 1...3, using: &random))
        var request = StartRequest(configuration: CaptureConfiguration(pieces: Array(pieces), flowTitle: "Check in"))
        request.configuration.checks = .off
        if random.one(in: 2) { request.subject = "subject \(Int.random(in: 0..<5, using: &random))" }
        return try ledger.start(request).session
    }

    /// One command, which the flow may well refuse.
    private func play(_ session: SessionID, _ ledger: Ledger, _ random: inout SeededRandom) throws {
        let piece = [Piece.passportFront, .passportBack, .selfie].randomElement(using: &random) ?? .selfie
        do throws(LedgerError) {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: _ = try ledger.suspend(session, CommandOptions())
            case 1: _ = try ledger.resume(session, CommandOptions())
            case 2: _ = try ledger.exit(session, CommandOptions())
            case 3: _ = try ledger.drop([piece], in: session, CommandOptions())
            case 4: _ = try ledger.retake(piece, in: session, CommandOptions())
            case 5...6: _ = try ledger.confirm(piece, in: session, CommandOptions())
            default:
                let picture = Self.pictures.randomElement(using: &random) ?? ""
                var request = CaptureRequest(
                    session: session, piece: piece, path: "\(Workshop.repository)/Fixtures/\(picture)", source: .camera)
                request.confirm = random.one(in: 2)
                _ = try ledger.capture(request)
            }
        } catch {
            // Refused by the flow: nothing of it may be left, which the oracle sees.
        }
    }
}
