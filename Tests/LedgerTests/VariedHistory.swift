import DeliveryMachine
import EventStorage
import Outbox
import SQLite
import SessionDomain
import TestSupport
import Vault

@testable import CaptureLedger

/// Random sessions in one ledger: captured, confirmed, retaken, superseded, answered in time and late, parked, requeued, dropped,
/// purged, ended in every way, erased. What the flow refuses is refused and changes nothing.
struct VariedHistory {
    private(set) var ledger: Ledger
    var random: SeededRandom
    private(set) var sessions: [SessionID] = []
    private(set) var erased: Set<SessionID> = []

    init(_ ledger: Ledger, seed: UInt64) {
        self.ledger = ledger
        random = SeededRandom(seed: seed)
    }

    /// Goes on in a ledger that was restored: what began after the backup is forgotten, what was erased is not.
    mutating func goOn(in restored: Ledger) {
        ledger = restored
        sessions = sessions.filter { (try? restored.timeline($0)) != nil }
        erased.formIntersection(sessions)
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            if sessions.isEmpty || random.one(in: 6) { try start() } else { try step(sessions.randomElement(using: &random)!) }
        }
    }

    private mutating func start() throws {
        let lists: [[Piece]] = [
            [.passportFront, .passportBack, .selfie], [.selfie], [.passportFront, .hologram],
            [.selfie, .passportFront, .hologram],
        ]
        var configuration = configuration(lists.randomElement(using: &random)!)
        configuration.autoConfirm = random.one(in: 2)
        if random.one(in: 3) { configuration.ordering = .strict }
        var request = StartRequest(configuration: configuration)
        request.subject = "subject-\(sessions.count)"
        if random.one(in: 2) { request.transactionID = "tx-\(sessions.count)" }
        sessions.append(try ledger.start(request).session)
    }

    private mutating func step(_ session: SessionID) throws {
        let view = try ledger.session(session).flow
        // Mostly what the flow waits for, now and then anything.
        var piece = Piece.allCases.randomElement(using: &random)!
        if !random.one(in: 4) { piece = view.pieces.first { $0.status == .captured }?.piece ?? view.currentPiece ?? piece }
        let choice = Int.random(in: 0..<20, using: &random)
        do {
            switch choice {
            case 0..<6:
                _ = try ledger.capture(CaptureRequest(session: session, piece: piece, path: file(piece), source: .camera))
            case 6..<9: _ = try ledger.confirm(piece, in: session, CommandOptions())
            case 9: _ = try ledger.retake(piece, in: session, CommandOptions())
            case 10..<15: try answer(session)
            case 15: _ = try ledger.drop([piece], in: session, CommandOptions())
            case 16: _ = try ledger.suspend(session, CommandOptions())
            case 17: _ = try ledger.resume(session, CommandOptions())
            case 18: _ = try ledger.bindTransaction("late-\(session.text)", in: session, CommandOptions())
            default: try end(session)
            }
        } catch let error as LedgerError {
            // Refused by the flow; anything retryable would be a fault.
            if error.isRetryable || error.code.rawValue.hasPrefix("storage") { throw error }
        }
    }

    private mutating func end(_ session: SessionID) throws {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: _ = try ledger.exit(session, CommandOptions())
        case 1: _ = try ledger.cancel(session, CommandOptions())
        case 2, 3:
            _ = try ledger.erase(session)
            erased.insert(session)
        default: _ = try ledger.observe([], label: "nothing", in: session, CommandOptions())
        }
    }

    /// An answer, a parking, a requeue or a purge for any delivery of the session, whatever its state.
    private mutating func answer(_ session: SessionID) throws {
        guard let delivery = try ledger.deliveries(of: session).randomElement(using: &random),
            let piece = Piece(code: delivery.pieceCode)
        else { return }
        let outcome = Int.random(in: 0..<7, using: &random)
        let command: SessionCommand =
            switch outcome {
            case 0..<4:
                .applyAnswer(
                    ApplyAnswer(
                        deliveryID: delivery.id, piece: piece, captureID: delivery.capture, destination: delivery.destination,
                        outcome: outcome < 2 ? .verified : outcome == 2 ? .rejected : .failed, score: nil,
                        drop: random.one(in: 5) ? [.selfie] : [], evidence: nil, attempts: 1,
                        secret: Array(#"{"payload":"{}"}"#.utf8)))
            case 4:
                .parkDelivery(
                    ParkDelivery(
                        deliveryID: delivery.id, piece: piece, captureID: delivery.capture, destination: delivery.destination,
                        cause: "attempts_exhausted", evidence: nil, attempts: 3))
            case 5:
                .requeueDelivery(
                    RequeueDelivery(
                        deliveryID: delivery.id, piece: piece, captureID: delivery.capture, destination: delivery.destination))
            default:
                .purgeMedia(
                    PurgeMedia(piece: piece, captureID: delivery.capture, cause: "answered", bytes: 1, commitment: nil))
            }
        try record(delivery)
        _ = try ledger.perform(command, "answer", [.init("n", .integer(Int64(outcome)))], session, CommandOptions())
        if outcome == 6 { _ = try ledger.keys.remove(.media, ObjectID(delivery.capture.uuid)) }
    }

    /// An attempt with its sealed evidence, as a worker leaves them.
    private func record(_ delivery: DeliveryRow) throws {
        let keys = try ledger.keys
        let id = Identifiers.fresh(atMilliseconds: 1_700_000_000_000)
        let bytes = Array("HTTP 200\r\n\r\n".utf8)
        _ = try keys.write(.evidence, ObjectID(id), key: try ledger.sessionKey(delivery.session), bytes)
        let attempt = AttemptRecord(
            kind: .send, startedAtMilliseconds: 1, finishedAtMilliseconds: 2, certainty: .answered, curlCode: 0, status: 200,
            bytesSent: 1, bytesReceived: 1, explanation: Explanation(rawValue: "answered"), tableVersion: 1,
            evidence: EvidenceReference(id: id.text, sha256: Digests.sha256(bytes)))
        try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            _ = try translated { () throws(StorageError) in
                try context.outbox.append(
                    attempt,
                    OutboxWriter.AttemptContext(
                        deliveryNumber: delivery.number, delivery: delivery.id, destination: delivery.destination, fence: 1,
                        action: "deliver", nextAttemptAtMilliseconds: nil))
            }
            return .success(())
        }
    }

    private func file(_ piece: Piece) -> String {
        switch piece {
        case .passportFront: fixture("passport-front.jpg")
        case .passportBack: fixture("passport-back.jpg")
        case .selfie: fixture("selfie.jpg")
        case .hologram: fixture("hologram.mp4")
        }
    }
}

/// Every row of a table, as text.
func dump(_ ledger: Ledger, _ table: String) throws -> [String] {
    try ledger.read { (context) throws(LedgerError) in
        try translated { () throws(StorageError) in
            try stored { () throws(SQLiteError) in
                var columns: [String] = []
                let info = try Statement(context.connection, "SELECT name FROM pragma_table_info('\(table)')")
                while try info.step() { columns.append("quote(\(info.text(0)))") }
                let rows = try Statement(
                    context.connection, "SELECT \(columns.joined(separator: "||','||")) FROM \(table) ORDER BY 1")
                var found: [String] = []
                while try rows.step() { found.append(rows.text(0)) }
                return found
            }
        }
    }
}
