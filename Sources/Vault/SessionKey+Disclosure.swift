package import Cryptography

extension SessionKey {
    /// The key of one small object, for somebody who is given the object's content and is to check it against the stored bytes. It
    /// opens nothing else: keys of objects are derived one way.
    ///
    /// - Throws: `key_destroyed`.
    package func disclosed(_ object: SmallObject) throws(VaultError) -> [UInt8] { try disclosed(info: object.info) }

    /// The key of the session's commitments, for somebody who is given its media and is to check them against what the events say.
    ///
    /// - Throws: `key_destroyed`.
    package func disclosedCommitmentKey() throws(VaultError) -> [UInt8] { try disclosed(info: Self.commitmentInfo) }

    /// What a commitment is under a key that was disclosed.
    package static func commitment(of plainDigest: Digest, disclosed key: [UInt8]) -> Digest {
        HMAC.code(key: key, plainDigest.bytes)
    }

    /// Opens a small object with its own key.
    ///
    /// - Throws: `truncated`, `unknown_format`, `authentication_failed`.
    package static func open(_ sealed: [UInt8], disclosed key: [UInt8], session: ObjectID) throws(VaultError) -> [UInt8] {
        guard sealed.count > AESGCM.tagByteCount else { throw VaultError(.truncated) }
        guard let secret = SecretKey(copying: key), sealed[0] == format else { throw VaultError(.unknownFormat) }
        var cipher = AESGCM(key: secret)
        var plain: [UInt8] = []
        let body = sealed.span.extracting(droppingFirst: 1)
        do { try cipher.open(body, nonce: .zero, aad: session.bytes.span, appendingTo: &plain) } catch {
            throw VaultError(.authenticationFailed)
        }
        return plain
    }
}
