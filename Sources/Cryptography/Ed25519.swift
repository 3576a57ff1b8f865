import COpenSSL

/// Ed25519 signatures (RFC 8032 §5.1, without a context or a prehash).
package enum Ed25519 {
    package static let publicKeyByteCount = 32
    package static let signatureByteCount = 64

    package static func publicKey(seed: SecretKey) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: publicKeyByteCount)
        unsafe seed.withBytes { seed in
            unsafe key.withUnsafeMutableBufferPointer { key in
                checked(unsafe cl_ed25519_public(seed.assumingMemoryBound(to: UInt8.self).baseAddress, key.baseAddress))
            }
        }
        return key
    }

    /// The same message and seed give the same 64 bytes.
    package static func sign(_ message: [UInt8], seed: SecretKey) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: signatureByteCount)
        unsafe seed.withBytes { seed in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe signature.withUnsafeMutableBufferPointer { signature in
                    checked(
                        unsafe cl_ed25519_sign(
                            seed.assumingMemoryBound(to: UInt8.self).baseAddress, message.baseAddress, message.count,
                            signature.baseAddress))
                }
            }
        }
        return signature
    }

    /// False for a signature or a key of another length too.
    package static func verify(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
        guard signature.count == signatureByteCount, publicKey.count == publicKeyByteCount else { return false }
        return unsafe publicKey.withUnsafeBufferPointer { key in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe signature.withUnsafeBufferPointer { signature in
                    unsafe cl_ed25519_verify(key.baseAddress, message.baseAddress, message.count, signature.baseAddress) == 1
                }
            }
        }
    }
}
