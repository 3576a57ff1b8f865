import Cryptography
import EventCoding
import EventStorage
import SQLite
import SchemaFiles
import SessionDomain

extension ContentCheck {
    private static let attemptColumns: Int32 = 19

    /// Whether an event has anything to say beyond its own bytes.
    func wants(type: Int, hasPrivateHalf: Bool) -> Bool {
        if hasPrivateHalf && vault != nil { return true }
        return switch EventType(rawValue: type) {
        case .pieceCaptured, .pieceChecked, .pieceVerified, .pieceRejected, .pieceDeliveryParked, .sessionErased: true
        default: false
        }
    }

    /// The attempt that gave an outcome is under the tree by its digest, which the outcome's event names.
    func checkAttempt(of event: StoredEvent, into report: inout VerificationReport) throws(StorageError) {
        guard let (evidence, delivery) = outcome(event), let evidence, let capture = event.encoded.captureID else { return }
        let rows = StoredRows()
        try stored { () throws(SQLiteError) in
            let attempts = try Statement(reader.connection, SchemaFiles.attemptsOfCapture)
            attempts.bind(event.sessionNumber, at: 1)
            attempts.bind(capture.bytes, at: 2)
            attempts.bind(delivery.uuid.bytes, at: 3)
            while try attempts.step() { rows.append(attempts, columns: Self.attemptColumns) }
        }
        for index in 0..<rows.count where SHA256.digest(of: rows.bytes(index)).bytes == evidence.bytes {
            report.attempts += 1
            return
        }
        report.add(
            .attemptAltered, at: event.position,
            "The attempt that gave this outcome is not in the delivery log as it was: it was altered or taken out.")
    }

    private func outcome(_ event: StoredEvent) -> (evidence: Digest256?, delivery: DeliveryID)? {
        switch try? EventCoder.decode(event.encoded, frozen: { _ in nil }) {
        case .pieceVerified(let outcome): (outcome.evidence, outcome.deliveryID)
        case .pieceRejected(let outcome): (outcome.evidence, outcome.deliveryID)
        case .pieceDeliveryParked(let outcome): (outcome.evidence, outcome.deliveryID)
        default: nil
        }
    }
}
