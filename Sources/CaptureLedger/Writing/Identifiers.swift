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
        named.append(contentsOf: session.uuid.bytes)
        named.append(contentsOf: capture.uuid.bytes)
        named.append(contentsOf: destination.utf8)
        var bytes = SHA256.digest(of: named).prefix(16)
        bytes[6] = 0x80 | bytes[6] & 0x0F
        bytes[8] = 0x80 | bytes[8] & 0x3F
        guard let uuid = UUID128(bytes: bytes) else { preconditionFailure("sixteen bytes make an identifier") }
        return DeliveryID(uuid)
    }
}

extension ObjectID {
    init(_ uuid: UUID128) { self.init(high: uuid.high, low: uuid.low) }
}
