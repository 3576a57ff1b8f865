import Cryptography
package import SessionDomain

extension Ledger {
    /// The idempotency key of a request that belongs to no session: the same for the same bytes.
    package static func requestKey(of bytes: [UInt8]) -> DeliveryID {
        var digest = SHA256.digest(of: Array("capture-ledger request v1".utf8) + bytes).prefix(16)
        digest[6] = 0x80 | digest[6] & 0x0F
        digest[8] = 0x80 | digest[8] & 0x3F
        guard let uuid = UUID128(bytes: digest) else { preconditionFailure("sixteen bytes make an identifier") }
        return DeliveryID(uuid)
    }
}
