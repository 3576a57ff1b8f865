import Cryptography
import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

/// A ledger driven by random commands of several processes, with a model of what it must hold.
final class RandomLedger {
    /// What must be there, from the receipts alone.
    struct Model {
        var sessions: [SessionID] = []
        var erased: Set<SessionID> = []
        var media: [CaptureID: (session: SessionID, sha256: [UInt8])] = [:]
        var purged: Set<CaptureID> = []

        var living: [SessionID] { sessions.filter { !erased.contains($0) } }
    }

    struct Backup {
        let path: String
        let model: Model
    }

    static let photographs = [
        "jpeg/baseline.jpg", "jpeg/progressive.jpg", "jpeg/grey.jpg", "jpeg/full-colour.jpg", "formats/portrait.webp",
        "formats/lossless.webp", "formats/portrait.heic", "documents/one-page.pdf", "passport-front.jpg",
        "damaged/progressive-end-marker-missing.jpg",
    ]
    static let refused = [
        "damaged/baseline-cut-in-half.jpg", "damaged/bomb-64250x64250.jpg", "documents/encrypted.pdf", "README.md",
        "videos/truncated.mp4",
    ]
    static let videos = ["videos/fragmented.mp4", "videos/rotated-90.mov"]

    var random: SeededRandom
    let clock = TurnedClock()
    let temporary: TemporaryLedger
    var path: String
    /// Open at the same time, as in several processes; each has its own caches.
    var handles: [Ledger] = []
    var deliveries: RandomDeliveries?
    var model = Model()
    var backups: [Backup] = []
    var done: [String: Int] = [:]
    private var folders = 0

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        let clock = clock
        temporary = try TemporaryLedger(clock: LedgerClock { clock.now })
        path = temporary.path
        temporary.ledger.closeAndWait()
        handles = [try open()]
    }

    deinit { for handle in handles { handle.closeAndWait() } }

    func open() throws -> Ledger {
        var options = LedgerOptions()
        let clock = clock
        options.clock = LedgerClock { clock.now }
        return try Ledger.open(folder: path, options: options)
    }

    var ledger: Ledger { handles[Int.random(in: 0..<handles.count, using: &random)] }

    func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }

    func run(steps: Int) throws {
        for _ in 0..<steps {
            clock.advance(Int64.random(in: random.one(in: 20) ? -5_000...0 : 0...3_000, using: &random))
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<8: try start()
            case 8..<40: try capture()
            case 40..<66: try command()
            case 66..<88: try deliver()
            case 88..<90: try erase()
            case 90..<93: try changeProcesses()
            case 93..<96: try rebuild()
            case 96: try lookAfter()
            case 97: try backUp()
            case 98: try restore()
            default: done["expired", default: 0] += try ledger.expireDueSessions()
            }
        }
    }

    func start() throws {
        var pieces = Piece.allCases.shuffled(using: &random)
        pieces.removeLast(Int.random(in: 0...3, using: &random))
        var request = StartRequest(configuration: configuration(pieces))
        request.configuration.autoConfirm = random.one(in: 3)
        request.configuration.allowUploadFromDevice = random.one(in: 2)
        request.configuration.ordering = random.one(in: 3) ? .strict : .independent
        request.configuration.deadlineMilliseconds = random.one(in: 4) ? 60_000 : nil
        request.configuration.hologramPassMark = pieces.contains(.hologram) && random.one(in: 2) ? 0.5 : nil
        request.configuration.hologramSettings.hologramControlEnabled = false
        if random.one(in: 2) { request.subject = "subject \(Int.random(in: 0..<5, using: &random))" }
        if pieces.contains(.hologram), random.one(in: 2) { request.transactionID = "transaction \(model.sessions.count)" }
        let receipt = try ledger.start(request)
        #expect(!receipt.isRepeat)
        model.sessions.append(receipt.session)
    }

    /// What the flow refuses is refused by name and leaves nothing behind, which the end of the test sees.
    func attempt(_ name: String, _ body: () throws(LedgerError) -> Void) throws {
        do throws(LedgerError) {
            try body()
            done[name, default: 0] += 1
        } catch {
            guard !error.isRetryable, !error.code.rawValue.hasPrefix("storage"), error.code.rawValue != "ledger_closed" else {
                throw error
            }
            done["refused", default: 0] += 1
        }
    }

    func capture() throws {
        guard let session = session(), let view = try? ledger.session(session) else { return }
        let piece = random.one(in: 5) ? pick(Piece.allCases) : view.flow.currentPiece ?? .selfie
        if piece == .hologram {
            try attempt("recording") { () throws(LedgerError) in
                _ = try ledger.startHologram(session, CommandOptions())
            }
        }
        let file = fixture(random.one(in: 8) ? pick(Self.refused) : pick(piece == .hologram ? Self.videos : Self.photographs))
        var request = CaptureRequest(
            session: session, piece: piece, path: file, source: pick([.camera, .camera, .camera, .gallery]))
        request.rotation = piece == .hologram ? pick([0, 90]) : nil
        request.confirm = pick([nil, nil, true])
        request.options.commandID = Ledger.freshCommandID(clock.now)
        let (first, second) = (ledger, ledger)
        try attempt("capture") { () throws(LedgerError) in
            let receipt = try first.capture(request)
            if case .captured(let capture, _) = receipt.outcome {
                model.media[capture] = (session, SHA256.digest(of: try bytes(file)).bytes)
            } else {
                done["capture refused", default: 0] += 1
            }
            guard random.one(in: 4) else { return }
            let again = try second.capture(request)
            #expect(again.outcome == receipt.outcome)
            #expect(again.receipt.isRepeat && again.receipt.positions == receipt.receipt.positions)
        }
    }

    private func bytes(_ file: String) throws(LedgerError) -> [UInt8] {
        try called { () throws(SystemError) in try FileDescriptor(opening: file, .read).readToEnd(limit: 1 << 28) }
    }

    func command() throws {
        guard let session = session() else { return }
        let choice = Int.random(in: 0..<16, using: &random)
        let piece = pick(Piece.allCases)
        let current = try ledger.session(session).flow.pieces.filter { $0.status == .captured }.map(\.piece).first
        let (first, second) = (ledger, ledger)
        var options = CommandOptions()
        options.commandID = Ledger.freshCommandID(clock.now)
        options.occurredAtMilliseconds = random.one(in: 3) ? clock.now - 1_000 : nil
        let repeats = random.one(in: 3)
        try attempt("command") { () throws(LedgerError) in
            func send(_ ledger: Ledger) throws(LedgerError) -> CommandReceipt {
                switch choice {
                case 0..<8: try ledger.confirm(current ?? piece, in: session, options)
                case 8: try ledger.retake(current ?? piece, in: session, options)
                case 9: try ledger.drop([piece, .passportBack], in: session, options)
                case 10: try ledger.suspend(session, options)
                case 11, 12: try ledger.resume(session, options)
                case 13: try ledger.bindTransaction("transaction of \(session.text)", in: session, options)
                case 14: try ledger.exit(session, options)
                default: try ledger.cancel(session, options)
                }
            }
            let receipt = try send(first)
            guard repeats else { return }
            let again = try send(second)
            #expect(again.positions == receipt.positions && again.isRepeat)
        }
    }

    func erase() throws {
        guard let session = session() else { return }
        _ = try ledger.erase(session)
        model.erased.insert(session)
        done["erased", default: 0] += 1
    }

    /// The one that is written to is mostly a living one, and of late.
    private func session() -> SessionID? {
        if random.one(in: 20) { return model.sessions.randomElement(using: &random) }
        return model.living.suffix(5).randomElement(using: &random)
    }

    func changeProcesses() throws {
        done["process changes", default: 0] += 1
        if random.one(in: 2) { try ledger.catchUpAnalytics() }
        if handles.count > 1 || random.one(in: 2) {
            let index = Int.random(in: 0..<handles.count, using: &random)
            if deliveries?.ledger === handles[index] { deliveries = nil }
            handles.remove(at: index).closeAndWait()
        }
        if handles.count < 2 { handles.append(try open()) }
    }

    func rebuild() throws {
        try ledger.catchUpAnalytics()
        let before = try tables() + analyticsRows(path)
        _ = try ledger.rebuild()
        #expect(try tables() + analyticsRows(path) == before)
        done["rebuilt", default: 0] += 1
    }

    /// Repairs what is safe to repair: nothing that anybody needs, which the model sees.
    func lookAfter() throws {
        let report = try ledger.doctor(fix: true)
        #expect(report.findings.filter { $0.severity == .error } == [])
        done["looked after", default: 0] += 1
    }

    func backUp() throws {
        folders += 1
        let file = temporary.folder + "/backup-\(folders)"
        let report = try ledger.backup(to: file)
        #expect(report.missing == [])
        backups.append(Backup(path: file, model: model))
        done["backed up", default: 0] += 1
    }

    /// Goes on with what the backup held, and without those who were erased since.
    func restore() throws {
        guard let backup = backups.randomElement(using: &random) else { return }
        for handle in handles { handle.closeAndWait() }
        handles = []
        deliveries = nil
        folders += 1
        let folder = temporary.folder + "/restored-\(folders)"
        var options = RestoreOptions()
        let clock = clock
        options.clock = LedgerClock { clock.now }
        _ = try Ledger.restore(from: backup.path, to: folder, options: options)
        let erased = model.erased
        model = backup.model
        model.erased.formUnion(erased.intersection(model.sessions))
        path = folder
        handles = [try open()]
        backups.removeAll { !$0.model.sessions.allSatisfy(Set(model.sessions).contains) }
        done["restored", default: 0] += 1
        try check()
    }
}
