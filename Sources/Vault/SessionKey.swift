package import Cryptography
import Synchronization

/// The key of one session, for whoever works on that session now: hold it for one operation, not for longer, or a destruction
/// by another process goes unnoticed. Safe to use from several threads.
package final class SessionKey: Sendable {
    package let number: Int64
    /// For streams, whose salt enters the derivation.
    let secret: SecretKey
    /// HKDF's first step with an empty salt, the same for every small object.
    private let extracted: SecretKey
    private let cipher: SmallCipher
    private let destroyed = Atomic<Bool>(false)

    init(number: Int64, secret: SecretKey, cipher: SmallCipher) {
        self.number = number
        self.secret = secret
        extracted = cipher.extract(secret)
        self.cipher = cipher
    }

    /// What is sealed in one piece.
    package enum SmallObject: Sendable, Equatable {
        /// The private half of the event with this id.
        case privateHalf(event: ObjectID)
        /// The frozen metadata of the delivery with this id.
        case frozen(delivery: ObjectID)

        var info: [UInt8] {
            var info: [UInt8] = []
            info.reserveCapacity(64)
            switch self {
            case .privateHalf(let id):
                info.append(contentsOf: "capture-ledger private v1".utf8)
                id.append(to: &info)
            case .frozen(let id):
                info.append(contentsOf: "capture-ledger frozen v1".utf8)
                id.append(to: &info)
            }
            return info
        }
    }

    static let format: UInt8 = 1
    static let commitmentInfo = Array("capture-ledger commitment v1".utf8)

    /// Seals once: the key is derived for this object, so its nonce is zero, and sealing other content for the same object is a
    /// programmer's mistake.
    ///
    /// - Throws: `key_destroyed`.
    package func seal(_ plain: [UInt8], _ object: SmallObject, session: ObjectID) throws(VaultError) -> [UInt8] {
        try check()
        var sealed: [UInt8] = []
        sealed.reserveCapacity(plain.count + 1 + AESGCM.tagByteCount)
        sealed.append(Self.format)
        cipher.seal(plain, from: extracted, info: object.info, aad: session.bytes, appendingTo: &sealed)
        return sealed
    }

    /// - Throws: `key_destroyed`, `truncated`, `unknown_format`, `authentication_failed`.
    package func open(_ sealed: [UInt8], _ object: SmallObject, session: ObjectID) throws(VaultError) -> [UInt8] {
        try check()
        guard sealed.count > AESGCM.tagByteCount else { throw VaultError(.truncated) }
        guard sealed[0] == Self.format else { throw VaultError(.unknownFormat) }
        return try cipher.open(sealed, from: extracted, info: object.info, aad: session.bytes)
    }

    /// What an event says of its media in place of the digest: nobody without the key can test a picture against it.
    package func commitment(of plainDigest: Digest) throws(VaultError) -> Digest {
        try check()
        var code = HMAC(key: HKDF.expand(extracted, info: Self.commitmentInfo))
        code.update(plainDigest)
        return code.finish()
    }

    /// A copy of the key that is derived for `info`; it leaves the vault only where its content does.
    func disclosed(info: [UInt8]) throws(VaultError) -> [UInt8] {
        try check()
        return HKDF.expand(extracted, info: info).copyBytes()
    }

    func markDestroyed() { destroyed.store(true, ordering: .releasing) }

    func check() throws(VaultError) {
        if destroyed.load(ordering: .acquiring) { throw VaultError(.keyDestroyed) }
    }
}

/// The contexts that small objects are sealed and opened with, and their keys derived, one of each, since making one costs more than
/// using it. An object's key is derived from `extracted`, the first step of its session's.
final class SmallCipher: Sendable {
    private struct Contexts: ~Copyable {
        var code = HMAC()
        var cipher = AESGCM()
    }

    private let sealing = Mutex(Contexts())
    private let opening = Mutex(Contexts())

    func extract(_ secret: SecretKey) -> SecretKey {
        opening.withLock { contexts in HKDF.extract(secret, using: &contexts.code) }
    }

    func seal(_ plain: [UInt8], from extracted: SecretKey, info: [UInt8], aad: [UInt8], appendingTo sealed: inout [UInt8]) {
        sealing.withLock { contexts in
            HKDF.expand(extracted, info: info, using: &contexts.code, into: &contexts.cipher)
            contexts.cipher.seal(plain.span, nonce: .zero, aad: aad.span, appendingTo: &sealed)
        }
    }

    /// `sealed` starts with the format's byte.
    func open(_ sealed: [UInt8], from extracted: SecretKey, info: [UInt8], aad: [UInt8]) throws(VaultError) -> [UInt8] {
        let plain = opening.withLock { contexts -> [UInt8]? in
            var plain: [UInt8] = []
            HKDF.expand(extracted, info: info, using: &contexts.code, into: &contexts.cipher)
            let body = sealed.span.extracting(droppingFirst: 1)
            return (try? contexts.cipher.open(body, nonce: .zero, aad: aad.span, appendingTo: &plain)) == nil ? nil : plain
        }
        guard let plain else { throw VaultError(.authenticationFailed) }
        return plain
    }
}
