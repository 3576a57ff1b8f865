import EventStorage
import Outbox
package import SessionDomain

/// A destination that holds, or may hold, a piece of a person: whoever erased the person must ask it to do the same. Nothing personal.
package struct Recipient: Sendable, Hashable {
    package let destination: String
    /// Its name; a number for one that a newer version captured.
    package let piece: String
    package let capture: CaptureID
    /// When it answered for the piece; nil: bytes went to it, or may have, and no answer says that they arrived.
    package let deliveredAtMilliseconds: Int64?

    /// An answer says that it arrived.
    package var isCertain: Bool { deliveredAtMilliseconds != nil }

    package init(destination: String, piece: String, capture: CaptureID, deliveredAtMilliseconds: Int64?) {
        self.destination = destination
        self.piece = piece
        self.capture = capture
        self.deliveredAtMilliseconds = deliveredAtMilliseconds
    }

    package var json: JSONValue {
        .members([
            .init("capture_id", .string(capture.text)), .init("certain", .bool(isCertain)),
            .init("delivered_at_ms", deliveredAtMilliseconds.map { .integer($0) } ?? .null),
            .init("destination", .string(destination)), .init("piece", .string(piece)),
        ])
    }

    init?(json: JSONValue) {
        guard let destination = json["destination"]?.asString, let piece = json["piece"]?.asString,
            let capture = json["capture_id"]?.asString.flatMap({ CaptureID($0) })
        else { return nil }
        self.init(
            destination: destination, piece: piece, capture: capture,
            deliveredAtMilliseconds: json["delivered_at_ms"]?.asInteger)
    }
}

extension ReadContext {
    /// What was sent of a session, as the log of attempts knows it: erased sessions keep it.
    func recipients(ofSession number: Int64) throws(StorageError) -> [Recipient] {
        var recipients: [Recipient] = []
        for delivery in try outbox.deliveries(ofSession: number) {
            let attempts = try outbox.attempts(ofDelivery: delivery.number)
            let answer = attempts.last { $0.action == "deliver" }
            // a claim without an attempt on record is a worker that died, or sends at this moment
            let mayHoldIt =
                delivery.firstSentAtMilliseconds != nil || delivery.claims > attempts.count
                || attempts.contains { $0.bytesSent > 0 || $0.certainty != "not_sent" }
            guard answer != nil || mayHoldIt else { continue }
            recipients.append(
                Recipient(
                    destination: delivery.destination,
                    piece: Piece(code: delivery.pieceCode)?.rawValue ?? String(delivery.pieceCode), capture: delivery.capture,
                    deliveredAtMilliseconds: answer?.finishedAtMilliseconds))
        }
        return recipients
    }
}

extension Ledger {
    /// Who holds something of a session, also of one that was erased: what the log of attempts and the tombstones say together.
    ///
    /// - Throws: `no_such_session`.
    package func recipients(of session: SessionID) throws(LedgerError) -> [Recipient] {
        let logged = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) -> [Recipient]? in
                guard let row = try context.events.session(session), row.number != 0 else { return nil }
                return try context.recipients(ofSession: row.number)
            }
        }
        guard var recipients = logged else { throw .noSession() }
        for entry in (try? rememberedErasures(of: session)) ?? [] {
            for held in entry.recipients {
                let isKnown = recipients.contains {
                    $0.destination == held.destination && $0.capture == held.capture && ($0.isCertain || !held.isCertain)
                }
                if isKnown { continue }
                recipients.removeAll { $0.destination == held.destination && $0.capture == held.capture }
                recipients.append(held)
            }
        }
        return recipients
    }

    /// The lines of the tombstone file that name a session.
    func rememberedErasures(of session: SessionID) throws(LedgerError) -> [Tombstones.Entry] {
        guard let path = settings.tombstonePath(in: files.folder) else { return [] }
        return try Tombstones.read(path).filter { $0.session == session }
    }
}
