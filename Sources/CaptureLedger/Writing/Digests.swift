import Cryptography
import SessionDomain
import Vault

enum Digests {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] { SHA256.digest(of: bytes).bytes }

    /// The keyed digest under which a session's facts may speak of something private.
    static func commitment(_ key: SessionKey, of value: [UInt8]) throws(VaultError) -> Digest256 {
        Digest256(words: try key.commitment(of: SHA256.digest(of: value)))
    }
}

extension Digest256 {
    init(words digest: Digest) {
        guard let value = Digest256(bytes: digest.bytes) else { preconditionFailure("a digest has 32 bytes") }
        self = value
    }
}
