import Cryptography
import SystemCalls

/// A key sealed under the master key: `01`, a nonce, the sealed 32 bytes, their tag (61 bytes; docs/storage-format.md, "Keys").
enum WrappedKey {
    static let byteCount = 61
    private static let format: UInt8 = 1

    static func aad(keyNumber: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(15)
        bytes.append(contentsOf: "session".utf8)
        for index: Int64 in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: keyNumber >> (56 - 8 * index))) }
        return bytes
    }

    static func aad(name: String) -> [UInt8] { Array("ledger".utf8) + Array(name.utf8) }

    /// A fresh random key, and the same wrapped.
    static func make(_ cipher: inout AESGCM, aad: [UInt8]) -> (secret: SecretKey, wrapped: [UInt8]) {
        var random = SecureRandom.bytes(SecretKey.byteCount + Nonce.byteCount)
        defer { cleanse(&random) }
        let nonce = random[SecretKey.byteCount...]
        var wrapped: [UInt8] = []
        wrapped.reserveCapacity(byteCount)
        wrapped.append(format)
        wrapped.append(contentsOf: nonce)
        let key = random.span.extracting(first: SecretKey.byteCount)
        cipher.seal(key, nonce: Nonce(nonce)!, aad: aad.span, appendingTo: &wrapped)
        return (SecretKey(copying: key)!, wrapped)
    }

    /// Nil when it does not open: another master key, or altered.
    static func open(_ wrapped: [UInt8], _ cipher: inout AESGCM, aad: [UInt8]) -> SecretKey? {
        guard wrapped.count == byteCount, wrapped[0] == format, let nonce = Nonce(wrapped[1..<13]) else { return nil }
        var key: [UInt8] = []
        key.reserveCapacity(SecretKey.byteCount)
        defer { cleanse(&key) }
        let sealed = Array(wrapped[13...])
        guard (try? cipher.open(sealed.span, nonce: nonce, aad: aad.span, appendingTo: &key)) != nil else { return nil }
        return SecretKey(copying: key)
    }
}

extension WrappedKey {
    /// The same key under another master key. Nil when it does not open under the first.
    static func rewrap(
        _ wrapped: [UInt8], from old: inout AESGCM, to new: inout AESGCM, aad: [UInt8]
    ) -> [UInt8]? {
        guard wrapped.count == byteCount, wrapped[0] == format, let nonce = Nonce(wrapped[1..<13]) else { return nil }
        var key: [UInt8] = []
        key.reserveCapacity(SecretKey.byteCount)
        defer { cleanse(&key) }
        let sealed = Array(wrapped[13...])
        guard (try? old.open(sealed.span, nonce: nonce, aad: aad.span, appendingTo: &key)) != nil else { return nil }
        let fresh = SecureRandom.bytes(Nonce.byteCount)
        var result = [format] + fresh
        result.reserveCapacity(byteCount)
        new.seal(key.span, nonce: Nonce(fresh)!, aad: aad.span, appendingTo: &result)
        return result
    }
}
