/// HKDF with SHA-256 (RFC 5869).
package enum HKDF {
    /// Step 1. An empty salt is a block of zeros.
    package static func extract(_ secret: SecretKey, salt: [UInt8] = []) -> SecretKey {
        unsafe secret.withBytes { unsafe extract($0, salt: salt) }
    }

    /// For input of another length than a key's.
    package static func extract(_ secret: [UInt8], salt: [UInt8] = []) -> SecretKey {
        unsafe secret.withUnsafeBytes { unsafe extract($0, salt: salt) }
    }

    private static func extract(_ secret: UnsafeRawBufferPointer, salt: [UInt8]) -> SecretKey {
        var code = HMAC(key: salt)
        unsafe code.update(secret)
        return SecretKey(code.finish())
    }

    /// Step 1 with an empty salt, by a code that is used for many keys; it forgets this one.
    package static func extract(_ secret: SecretKey, using code: inout HMAC) -> SecretKey {
        code.setKey([])
        unsafe secret.withBytes { unsafe code.update($0) }
        let extracted = SecretKey(code.finish())
        code.clear()
        return extracted
    }

    /// Step 2 for one block of output, which is what every key here is.
    package static func expand(_ extracted: SecretKey, info: [UInt8]) -> SecretKey {
        var code = HMAC(key: extracted)
        return SecretKey(code.code(info + [1]))
    }

    /// The same by a code that is used for many keys, straight into a cipher; neither keeps anything of `extracted`.
    package static func expand(_ extracted: SecretKey, info: [UInt8], using code: inout HMAC, into cipher: inout AESGCM) {
        code.setKey(extracted)
        var derived = code.code(info + [1])
        cipher.setKey(derived)
        derived.cleanse()
        code.clear()
    }

    /// Step 2 for up to 8,160 bytes.
    package static func expand(_ extracted: SecretKey, info: [UInt8], count: Int) -> [UInt8] {
        precondition((0...255 * 32).contains(count), "HKDF gives at most 255 blocks")
        var code = HMAC(key: extracted)
        var result: [UInt8] = []
        var number: UInt8 = 1
        while result.count < count {
            if number > 1 { code.update(Array(result.suffix(32))) }
            code.update(info)
            code.update(byte: number)
            code.finish().append(to: &result)
            number &+= 1
        }
        result.removeLast(result.count - count)
        return result
    }

    /// Both steps; `info` says what the key is for.
    package static func key(from secret: SecretKey, salt: [UInt8] = [], info: [UInt8]) -> SecretKey {
        expand(extract(secret, salt: salt), info: info)
    }
}

extension SecretKey {
    convenience init(_ digest: Digest) {
        unsafe self.init { target in
            unsafe withUnsafeBytes(of: digest.words) { words in
                for index in 0..<words.count { unsafe target[index] = words[index] }
            }
        }
    }
}
