import DeliveryMachine
import SessionDomain
import Simulator
import TestSupport
import Testing

@testable import CaptureLedger

/// The model that simulated days run on promises what the stored queue promises: the same operations, the same answers.
@Suite struct QueueConformanceTests {
    @Test func `the model of the queue and the stored queue give the same answers`() throws {
        for seed in SeededRandom.seeds(for: "queue conformance") {
            let all: Set = [
                "start", "capture", "claim", "keep bytes", "settle", "release", "death", "requeue", "cancel", "erase", "bind",
            ]
            var done: Set<String> = []
            // what is rare may take a few rounds more
            for round in 0..<24 where round < 4 || done != all {
                let script = try QueueScript(seed: seed &+ UInt64(round))
                for _ in 0..<160 { try script.step() }
                done.formUnion(script.done)
            }
            #expect(done == all)
        }
    }
}

/// One worker at a time, whose predecessors died with claims in hand.
private final class QueueScript {
    static let destinations = [DestinationName("verifier"), DestinationName("hologram")]

    var random: SeededRandom
    let clock = TurnedClock()
    let temporary: TemporaryLedger
    var ledger: Ledger { temporary.ledger }
    var queue: LedgerDeliveryQueue
    let model: ModelLedger
    private let worker = Worker()
    var sessions: [SessionID] = []
    /// Claims that the living worker holds.
    var held: [ClaimedDelivery] = []
    var done: Set<String> = []

    /// The only worker that lives.
    private final class Worker { var number = 0 }

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        let clock = clock
        temporary = try TemporaryLedger(clock: LedgerClock { clock.now })
        queue = LedgerDeliveryQueue(temporary.ledger)
        let worker = worker
        model = ModelLedger(deliveryID: Identifiers.delivery, isHolderAlive: { $0 == worker.number })
    }

    func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }

    func step() throws {
        clock.advance(Int64.random(in: 0...3_000, using: &random))
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<6: try start()
        case 6..<30: try capture()
        case 30..<65: try claim()
        case 65..<84: try settle()
        case 84..<88: try release()
        case 88..<91: die()
        case 91..<95: try requeue()
        case 95: try close(isErasure: false)
        case 96: try close(isErasure: true)
        default: try bind()
        }
        try compare()
    }

    private func start() throws {
        var pieces = Piece.allCases.shuffled(using: &random)
        pieces.removeLast(Int.random(in: 0...2, using: &random))
        var request = StartRequest(configuration: configuration(pieces))
        request.configuration.autoConfirm = true
        request.configuration.ordering = random.one(in: 2) ? .strict : .independent
        request.configuration.hologramPassMark = pieces.contains(.hologram) && random.one(in: 2) ? 0.5 : nil
        let hasTransaction = pieces.contains(.hologram) && random.one(in: 2)
        if hasTransaction { request.transactionID = "transaction \(sessions.count)" }
        let id = try ledger.start(request).session
        let session = model.addSession(id)
        let start = StartSession(
            configuration: request.configuration, transaction: hasTransaction ? Self.digest(sessions.count) : nil, secret: nil)
        try model.perform(.start(start), in: session, now: clock.now)
        if hasTransaction { model.setTransaction("transaction \(session)", of: session) }
        sessions.append(id)
        done.insert("start")
    }

    private static func digest(_ number: Int) -> Digest256 { Digest256(words: (0, 0, 0, UInt64(number))) }

    /// What one side refuses, the other refuses too.
    private func both(_ real: () throws(LedgerError) -> Void, _ model: () throws(Rejection) -> Void) -> Bool {
        var (isTaken, isTakenByModel) = (true, true)
        do { try real() } catch { isTaken = false }
        do { try model() } catch { isTakenByModel = false }
        #expect(isTaken == isTakenByModel)
        return isTaken && isTakenByModel
    }

    private func capture() throws {
        guard !sessions.isEmpty else { return }
        let session = Int.random(in: max(0, sessions.count - 4)..<sessions.count, using: &random)
        let view = try ledger.session(sessions[session])
        guard let piece = random.one(in: 4) ? view.flow.pieces.randomElement(using: &random)?.piece : view.flow.currentPiece
        else {
            return
        }
        if piece == .hologram {
            _ = both {
                () throws(LedgerError) in
                _ = try ledger.startHologram(sessions[session], CommandOptions())
            } _: {
                () throws(Rejection) in
                try model.perform(.startHologramRecording, in: session, now: clock.now)
            }
        }
        let files = RandomLedger.photographs
        let file = Int.random(in: 0..<files.count, using: &random)
        let name = piece == .hologram ? RandomLedger.videos[file % RandomLedger.videos.count] : files[file]
        var request = CaptureRequest(session: sessions[session], piece: piece, path: fixture(name), source: .camera)
        request.rotation = piece == .hologram ? 90 : nil
        var id: CaptureID?
        var isRefused = false
        _ = both {
            () throws(LedgerError) in
            if case .captured(let capture, _) = try ledger.capture(request).outcome { id = capture } else { isRefused = true }
        } _: {
            () throws(Rejection) in
            // media that is not taken in leaves nothing that a delivery could come from
            if isRefused { return }
            let capture = id ?? CaptureID(UUID128(milliseconds: clock.now, random: (random.next(), random.next())))
            try model.perform(
                .capture(facts(capture, piece, commitment: name)), in: session, now: clock.now, sha256: [])
        }
        if id != nil { done.insert("capture") }
    }

    private func facts(_ id: CaptureID, _ piece: Piece, commitment: String) -> CapturePiece {
        let number = (RandomLedger.photographs + RandomLedger.videos).firstIndex(of: commitment) ?? 0
        return CapturePiece(
            piece: piece, captureID: id, source: .camera,
            media: MediaFacts(type: "image/jpeg", bytes: 1, width: 1, height: 1, orientation: 1, flags: []),
            commitment: Self.digest(1_000 + number), sealedDigest: Self.digest(0), sealedBytes: 1,
            rotation: piece == .hologram ? 90 : nil, measurements: [], fields: nil, confirm: nil, secret: nil)
    }

    private func claim() throws {
        let quotas = Self.destinations.shuffled(using: &random).map { name in
            ClaimQuota(destination: name, limit: Int.random(in: 1...3, using: &random))
        }
        // a body that is fixed stays, whatever a later claim would send
        let kind = UInt8.random(in: 0...2, using: &random)
        let fixing = { @Sendable (claim: ClaimedDelivery) in kind == 0 ? nil : Self.body(claim, kind) }
        let real = try queue.claim(quotas, nowMilliseconds: clock.now, fixing: fixing)
        let modelled = model.claim(quotas, holder: worker.number, now: clock.now, fixing: fixing)
        if real.contains(where: { $0.frozen != nil && $0.frozen != fixing($0) }) { done.insert("keep bytes") }
        #expect(real.map(Claim.init) == modelled.map(Claim.init))
        if real.isEmpty { return }
        held += real
        done.insert("claim")
    }

    private static func body(_ claim: ClaimedDelivery, _ kind: UInt8) -> FrozenBody {
        FrozenBody(
            contentType: "text/plain", head: Array(claim.id.text.utf8) + [kind], mediaForm: .raw, mediaBytes: 1,
            mediaSHA256: [UInt8](repeating: kind, count: 32), tail: [])
    }

    /// What a worker is told, apart from its media, which no model has.
    private struct Claim: Equatable {
        let id: DeliveryID, destination: DestinationName, session: SessionID, piece: Piece, capture: CaptureID
        let captureAttempt: Int, hologram: HologramFacts?, fence: Int64, claims: Int, work: DeliveryWork, frozen: FrozenBody?

        init(_ claim: ClaimedDelivery) {
            (id, destination, session, piece) = (claim.id, claim.destination, claim.session, claim.piece)
            (capture, captureAttempt, hologram) = (claim.capture, claim.captureAttempt, claim.hologram)
            (fence, claims, work, frozen) = (claim.fence, claim.claims, claim.work, claim.frozen)
        }
    }

    private func isErased(_ claim: ClaimedDelivery) -> Bool {
        sessions.firstIndex(of: claim.session).map { model.sessions[$0].state.isErased } ?? true
    }

    private func settle() throws {
        held.shuffle(using: &random)
        let claims = Array(held.prefix(Int.random(in: 1...3, using: &random)))
        if claims.isEmpty { return }
        held.removeFirst(claims.count)
        let endings = claims.map { ClaimEnding(claim: $0, settlement: settlement($0)) }
        #expect(try queue.settle(endings) == model.settle(endings, now: clock.now))
        done.insert("settle")
    }

    private func settlement(_ claim: ClaimedDelivery) -> Settlement {
        var work = claim.work
        work.attempts += 1
        work.firstSentAtMilliseconds = work.firstSentAtMilliseconds ?? clock.now
        var settlement = Settlement(work: work, state: .delivered, attempt: nil)
        let drop: [Piece] = random.one(in: 5) ? [pick(Piece.allCases)] : []
        let score = claim.piece == .hologram ? Double.random(in: 0...1, using: &random) : nil
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: settlement.outcome = .verified(payload: Array("{}".utf8), score: score, drop: drop)
        case 3: settlement.outcome = .rejected(reason: "dark", staffReason: nil, score: score, drop: drop)
        case 4..<6: settlement.state = .parked(pick([.failedPermanently, .refusedByEndpoint, .mediaExpired]))
        case 6:
            settlement.work.statusAddress = "https://v.example/\(claim.fence)"
            settlement.work.isUnclear = true
            settlement.state = .waiting(untilMilliseconds: clock.now + 500, because: .accepted)
        case 7: settlement.state = .waiting(untilMilliseconds: clock.now + 40 * 86_400_000, because: .answerLost)
        default: settlement.state = .waiting(untilMilliseconds: clock.now + pick([0, 2_000, 9_000]), because: .answerLost)
        }
        settlement.destroysMedia = claim.piece == .hologram && settlement.outcome != nil
        settlement.destinationChanges = pick([
            [], [.failuresInARow(3), .breaker(Breaker(untilMilliseconds: clock.now + 9, openings: 2))],
            [.pause(DestinationPause(reason: .redirected, sinceMilliseconds: clock.now, probeAtMilliseconds: clock.now + 9))],
            [.resume, .breaker(nil), .failuresInARow(0)], [.contractBreakWitness(claim.id)],
            [.lastDeliveredAt(milliseconds: clock.now), .contractBreakWitness(nil)],
        ])
        return settlement
    }

    private func release() throws {
        guard let claim = held.popLast() else { return }
        try queue.release([claim])
        model.release([claim])
        done.insert("release")
    }

    private func die() {
        queue = LedgerDeliveryQueue(ledger)
        worker.number += 1
        held = []
        done.insert("death")
    }

    private func requeue() throws {
        guard let session = sessions.randomElement(using: &random),
            let row = try ledger.deliveries(of: session).filter({ $0.status == .parked }).randomElement(using: &random)
        else { return }
        let isTaken = both {
            () throws(LedgerError) in
            _ = try ledger.requeue(row, CommandOptions())
        } _: {
            () throws(Rejection) in
            try model.requeue(row.id, now: clock.now)
        }
        if isTaken { done.insert("requeue") }
    }

    private func close(isErasure: Bool) throws {
        guard sessions.count > 2, let session = sessions.indices.randomElement(using: &random) else { return }
        let isTaken = both {
            () throws(LedgerError) in
            if isErasure {
                _ = try ledger.erase(sessions[session])
            } else {
                _ = try ledger.cancel(sessions[session], CommandOptions())
            }
        } _: {
            () throws(Rejection) in
            try model.perform(isErasure ? .erase : .cancel(secret: nil), in: session, now: clock.now)
        }
        if isTaken { done.insert(isErasure ? "erase" : "cancel") }
    }

    private func bind() throws {
        guard let session = sessions.indices.randomElement(using: &random) else { return }
        let isTaken = both {
            () throws(LedgerError) in
            _ = try ledger.bindTransaction("transaction \(session)", in: sessions[session], CommandOptions())
        } _: {
            () throws(Rejection) in
            try model.perform(.bindTransaction(Self.digest(session), secret: nil), in: session, now: clock.now)
        }
        guard isTaken else { return }
        model.setTransaction("transaction \(session)", of: session)
        done.insert("bind")
    }

    /// Everything that can be seen from outside.
    private func compare() throws {
        #expect(try queue.backlog() == model.backlog())
        for name in Self.destinations { #expect(try queue.state(of: name) == model.state(of: name)) }
        guard random.one(in: 8) else { return }
        for (number, session) in sessions.enumerated() {
            let rows = try ledger.deliveries(of: session)
            let modelled = model.sessions[number].deliveries.map { model.deliveries[$0] }
            #expect(rows.map(\.id) == modelled.map(\.id))
            #expect(rows.map(\.status.rawValue) == modelled.map(\.status.rawValue))
            #expect(rows.map { $0.blocked != nil } == modelled.map(\.isBlocked))
            #expect(rows.map(\.attempts) == modelled.map(\.work.attempts))
        }
    }
}
