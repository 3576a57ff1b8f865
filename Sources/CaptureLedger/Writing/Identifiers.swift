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
        var named: [UInt8] = []
        named.reserveCapacity(96)
        named.append(contentsOf: "capture-ledger delivery v1".utf8)
        session.uuid.append(to: &named)
        capture.uuid.append(to: &named)
        named.append(contentsOf: destination.utf8)
        let words = SHA256.digest(of: named).words
        return DeliveryID(
            UUID128(
                high: words.0.bigEndian & ~0xF000 | 0x8000, low: words.1.bigEndian & ~(0xC0 << 56) | 0x80 << 56))
    }
}

extension ObjectID {
    init(_ uuid: UUID128) { self.init(high: uuid.high, low: uuid.low) }
}
