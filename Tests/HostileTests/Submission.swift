import Cryptography
import DeliveryMachine
import TestSupport

/// A delivery with media of its own: no two numbers share a byte sequence, which is all that a hologram is known by.
struct Submission {
    let claim: ClaimedDelivery
    let media: [UInt8]
    /// What an honest answer to it names.
    let identity: String

    init(_ number: Int, kind: Destination.Kind, size: Int) {
        var media = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
        for (index, byte) in "\(number) ".utf8.enumerated() { media[index] = byte }
        let digest = SHA256.digest(of: media)
        self.media = media
        switch kind {
        case .verifier:
            claim = Claims.verifier(number, session: number, bytes: Int64(size), sha256: digest.bytes)
            identity = claim.capture.text
        case .hologram:
            claim = Claims.hologram(number, bytes: Int64(size), sha256: digest.bytes)
            identity = digest.hex
        }
    }
}

extension DeliveryOutcome {
    /// Whether it is the answer to this submission and to no other.
    func belongs(to identity: String) -> Bool {
        guard case .verified(let payload, _, _) = self else { return false }
        return String(decoding: payload, as: UTF8.self).contains(identity)
    }
}
