import Cryptography
import SessionDomain
import SystemCalls
import Vault

/// How identifiers are made; `docs/storage-format.md`.
enum Identifiers {
    /// Version 7 of RFC 9562: ordered by time, otherwise random.
    static func fresh(atMilliseconds time: Int64) -> UUID128 {
        UUID128(milliseconds: time, random: SecureRandom.words())
    }

    /// The same for ever for one capture and destination, so that a key cannot change between attempts.
    static func delivery(_ session: SessionID, _ capture: CaptureID, _ destination: String) -> DeliveryID {
        DeliveryNames().delivery(session, capture, destination)
    }
}

extension ObjectID {
    init(_ uuid: UUID128) { self.init(high: uuid.high, low: uuid.low) }
}
