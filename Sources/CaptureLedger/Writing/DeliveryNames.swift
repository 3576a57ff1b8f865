import Cryptography
import SessionDomain

/// Makes the identifiers of many deliveries, in one memory. It belongs to one thread at a time.
final class DeliveryNames {
    private static let prefix = Array("capture-ledger delivery v1".utf8)

    private var hash = SHA256()
    private var named = DeliveryNames.prefix

    /// As ``Identifiers/delivery(_:_:_:)`` does.
    func delivery(_ session: SessionID, _ capture: CaptureID, _ destination: String) -> DeliveryID {
        named.removeLast(named.count - Self.prefix.count)
        session.uuid.append(to: &named)
        capture.uuid.append(to: &named)
        named.append(contentsOf: destination.utf8)
        hash.update(named)
        let digest = hash.finish().words
        // version 8 of RFC 9562
        return DeliveryID(
            UUID128(
                high: digest.0.bigEndian & ~0xF000 | 0x8000,
                low: digest.1.bigEndian & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000))
    }
}
