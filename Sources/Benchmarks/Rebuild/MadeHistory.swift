import CaptureLedger
import Cryptography
import DeliveryMachine
import EventCoding
import EventStorage
import Outbox
import SQLite
import SessionDomain
import SystemCalls

/// A ledger's past, made up: users of several contexts on their way through sessions that overlap, as the domain decides, appended
/// through the real writer in large transactions. The same seed gives the same past, but for the ids of its events.
final class MadeHistory {
    /// Sessions under way at any moment.
    private static let window = 64
    private static let eventsPerCommit = 4096
    /// 2026-06-01T00:00:00Z.
    private static let beginning: Int64 = 1_780_272_000_000
    /// Between two events of the whole ledger, on average.
    private static let pauseMilliseconds: Int64 = 1_300

    private let connection: Connection
    private let writer: EventWriter
    private let outbox: OutboxWriter
    private let ledger: Ledger
    private var random: SeededGenerator
    private var now = MadeHistory.beginning
    private var eventsInCommit = 0
    private var underWay: [MadeSession] = []
    private var begun = 0
    private(set) var events = 0

    /// - Parameter ledger: a new one that nobody else has open.
    init(_ ledger: Ledger, seed: UInt64) throws(LedgerError) {
        self.ledger = ledger
        random = SeededGenerator(seed: seed)
        (connection, writer, outbox) = try Bench.stored { () throws(StorageError) in
            let connection = try EventDatabase.openForWriting(ledger.files.database)
            let identity = try EventDatabase.identity(connection)
            return (connection, try EventWriter(connection, ledgerID: identity.ledgerID), try OutboxWriter(connection))
        }
    }

    /// Appends sessions until there are so many, or until so many events have come, and then goes on where it stopped.
    ///
    /// - Returns: whether there is more to come.
    @discardableResult
    func make(sessions count: Int, events limit: Int = .max) throws(LedgerError) -> Bool {
        try ledger.withWriterLock { () throws(LedgerError) in
            try ledger.mintKeys(through: Int64(count))
            try Bench.stored { () throws(StorageError) in
                _ = try writer.begin()
                let last = events + min(limit, .max - events)
                while events < last {
                    while underWay.count < Self.window, begun < count {
                        begun += 1
                        underWay.append(try begin(number: begun))
                    }
                    if underWay.isEmpty { break }
                    let index = Int.random(in: 0..<underWay.count, using: &random)
                    if try !step(&underWay[index]) {
                        underWay.swapAt(index, underWay.count - 1)
                        underWay.removeLast()
                    }
                    if eventsInCommit >= Self.eventsPerCommit {
                        try commit()
                        _ = try writer.begin()
                    }
                }
                try commit()
            }
        }
        return !underWay.isEmpty || begun < count
    }

    /// Sessions that nothing more comes for.
    var finished: Set<Int64> {
        Set(0..<Int64(begun)).subtracting(underWay.map { $0.number - 1 }).reduce(into: []) { $0.insert($1 + 1) }
    }

    private func begin(number: Int) throws(StorageError) -> MadeSession {
        let id = SessionID(UUID128(milliseconds: now, random: (random.next(), random.next())))
        let stored = try writer.insertSession(id, keyNumber: Int64(number))
        let configuration = Self.configurations[Int.random(in: 0..<Self.configurations.count, using: &random)]
        return MadeSession(id: id, number: stored, configuration: configuration, random: &random)
    }

    /// False when nothing more happens in the session.
    private func step(_ session: inout MadeSession) throws(StorageError) -> Bool {
        guard let (command, request) = session.next(now: now, random: &random) else { return false }
        now += Int64.random(in: 0...2 * Self.pauseMilliseconds, using: &random)
        var decidedAt = now
        if case .expire = command { decidedAt = max(now, (session.state.deadlineAtMilliseconds ?? now) + 1) }
        let evidence = try request.map { (request) throws(StorageError) in try record(request, session) }
        let decided: [Decided]
        do { decided = try SessionDecider.decide(Self.with(evidence, command), session.state, now: decidedAt) } catch {
            preconditionFailure("a made-up user did what the domain refuses: \(error)")
        }
        for decided in decided { try append(decided.event, to: &session) }
        return true
    }

    private func append(_ event: SessionEvent, to session: inout MadeSession) throws(StorageError) {
        var interned: StorageError?
        let encoded = EventCoder.encode(event) { json in
            let digest = SHA256.digest(of: Array(json.utf8)).bytes
            do throws(StorageError) { try writer.intern(configuration: json, digest: digest) } catch { interned = error }
            return Hex.text(digest)
        }
        if let interned { throw interned }
        let new = NewEvent(
            eventID: UUID128(milliseconds: now, random: (random.next(), random.next())), encoded: encoded,
            occurredAtMilliseconds: now - 200, flags: [], commandID: "made-\(events)", correlationID: nil,
            causationPosition: nil, actor: nil, sealed: nil)
        let position = try writer.append(
            new, session: session.id, number: session.number, version: session.state.version + 1, recordedAtMilliseconds: now)
        session.state.apply(event)
        if case .pieceConfirmed(let confirmed) = event { session.confirmedAt[confirmed.piece.slot] = position }
        events += 1
        eventsInCommit += 1
    }

    /// What the delivery log says of a request, now and then after one that failed; the digest of its last row.
    private func record(_ request: MadeSession.Request, _ session: MadeSession) throws(StorageError) -> Digest256? {
        let destination = session.state.pieces[request.piece].destination ?? ""
        func row(_ status: Int, _ explanation: Explanation, _ action: String) -> (AttemptRecord, OutboxWriter.AttemptContext) {
            let took = Int64.random(in: 80...900, using: &random)
            return (
                AttemptRecord(
                    kind: .send, startedAtMilliseconds: now - took, finishedAtMilliseconds: now, certainty: .answered,
                    curlCode: 0, status: status, bytesSent: 1_000_000, bytesReceived: 240, explanation: explanation,
                    tableVersion: 1),
                OutboxWriter.AttemptContext(
                    deliveryNumber: session.confirmedAt[request.piece.slot], delivery: session.delivery(request.piece),
                    destination: destination, fence: 1, action: action, nextAttemptAtMilliseconds: nil)
            )
        }
        if Int.random(in: 0..<20, using: &random) == 0 {
            let (failed, context) = row(503, .endpointFailed, "retry")
            _ = try outbox.append(failed, context)
        }
        let (last, context) = request.isAnswered ? row(200, .answered, "deliver") : row(500, .endpointFailed, "park")
        return Digest256(bytes: SHA256.digest(of: try outbox.append(last, context)).bytes)
    }

    private static func with(_ evidence: Digest256??, _ command: SessionCommand) -> SessionCommand {
        guard let evidence = evidence ?? nil else { return command }
        switch command {
        case .applyAnswer(let answer):
            return .applyAnswer(
                ApplyAnswer(
                    deliveryID: answer.deliveryID, piece: answer.piece, captureID: answer.captureID,
                    destination: answer.destination, outcome: answer.outcome, score: answer.score, drop: answer.drop,
                    evidence: evidence, attempts: answer.attempts, secret: nil))
        case .parkDelivery(let parking):
            return .parkDelivery(
                ParkDelivery(
                    deliveryID: parking.deliveryID, piece: parking.piece, captureID: parking.captureID,
                    destination: parking.destination, cause: parking.cause, evidence: evidence, attempts: parking.attempts))
        default: return command
        }
    }

    private func commit() throws(StorageError) {
        try writer.commit(atMilliseconds: now)
        eventsInCommit = 0
        _ = try? connection.checkpoint(.truncate)
    }

    /// Two pieces mostly, three in some, a hologram in few; a fifth is checked.
    private static let configurations: [CaptureConfiguration] = {
        let places = ["branch_ankara", "branch_izmir", "kiosk_airport", "kiosk_mall", "partner_web"]
        return (0..<20).map { index in
            var pieces: [Piece] = [.passportFront, .selfie]
            if index % 10 == 3 { pieces.insert(.passportBack, at: 1) }
            if index == 17 { pieces.append(.hologram) }
            var configuration = CaptureConfiguration(
                pieces: pieces, flowTitle: "Check in", analyticsContext: places[index % places.count])
            configuration.checks = index % 5 == 2 ? .required : .off
            configuration.autoConfirm = index == 11
            configuration.deadlineMilliseconds = 1_800_000
            if index == 17 { configuration.hologramCardType = .NEW_TC_ID }
            return configuration
        }
    }()
}
