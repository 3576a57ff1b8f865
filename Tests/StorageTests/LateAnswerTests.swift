import EventStorage
import Outbox
import SQLite
import SessionDomain
import TestSupport
import Testing

@Suite struct LateAnswerTests {
    @Test(arguments: [DeliveryStatus.verified, .rejected])
    func `F12 a late answer never changes a settled delivery`(settled: DeliveryStatus) throws {
        let queue = try Queue()
        try queue.apply(settled == .verified ? queue.verified(late: false) : queue.rejected(late: false), at: 2)
        let before = try queue.row()
        #expect(before.status == settled)
        for (position, late) in [queue.verified(late: true), queue.rejected(late: true), queue.parked(late: true)].enumerated()
        {
            try queue.apply(late, at: Int64(3 + position))
            let after = try queue.row()
            #expect(after.status == before.status && after.cause == before.cause)
            #expect(after.settledPosition == before.settledPosition)
        }
    }

    @Test func `F12 every order of two late answers and a withdrawal gives a row that the first decision keeps`() throws {
        for first in 0..<2 {
            let queue = try Queue()
            try queue.apply(.sessionCancelled(SessionCancelled(durationMilliseconds: 1)), at: 2)
            #expect(try queue.row().status == .withdrawn)
            let answers = [queue.verified(late: true), queue.rejected(late: true)]
            try queue.apply(answers[first], at: 3)
            let decided = try queue.row()
            try queue.apply(answers[1 - first], at: 4)
            #expect(try queue.row().status == decided.status)
            #expect(try queue.row().settledPosition == 3)
        }
    }
}

/// The fold, in one place for copies of the queue.
private final class Deliveries {
    var fold = DeliveryFold()

    func apply(_ event: SessionEvent, position: Int64) {
        var state = SessionState.initial
        fold.apply(event, position: position, state: &state)
    }
}

/// One confirmed capture in the delivery table.
private struct Queue {
    let store: Store
    let projection: DeliveryProjection
    private let deliveries = Deliveries()
    let session = SessionID(Store.id(0x51))
    let capture = CaptureID(Store.id(0xC1))
    let delivery = DeliveryID(Store.id(0xD1))

    init() throws {
        store = try Store()
        let delivery = delivery
        projection = try DeliveryProjection(store.connection) { _, _, _ in delivery }
        let number = try store.addSession(events: 1)
        #expect(number == 1)
        try apply(
            .pieceConfirmed(
                PieceConfirmed(piece: .selfie, captureID: capture, destination: "verifier", confirmedAtMilliseconds: 1)), at: 1)
    }

    func apply(_ event: SessionEvent, at position: Int64) throws {
        deliveries.apply(event, position: position)
        try projection.write(&deliveries.fold, session: session, number: 1)
    }

    func row() throws -> DeliveryRow { try #require(try OutboxReader(store.connection).deliveries(limit: 10).first) }

    func verified(late: Bool) -> SessionEvent {
        .pieceVerified(
            PieceVerified(
                piece: .selfie, captureID: capture, deliveryID: delivery, destination: "verifier", evidence: nil, attempts: 1,
                score: nil, durationMilliseconds: nil, late: late))
    }

    func rejected(late: Bool) -> SessionEvent {
        .pieceRejected(
            PieceRejected(
                piece: .selfie, captureID: capture, deliveryID: delivery, destination: "verifier", evidence: nil, attempts: 1,
                score: nil, failure: .blurryPhoto, durationMilliseconds: nil, late: late))
    }

    func parked(late: Bool) -> SessionEvent {
        .pieceDeliveryParked(
            PieceDeliveryParked(
                piece: .selfie, captureID: capture, deliveryID: delivery, destination: "verifier", cause: "failed_permanently",
                evidence: nil, attempts: 1, needsRecapture: false, late: late))
    }
}
