import CIPSecMB
import COpenSSL

/// AES-256-GCM (NIST SP 800-38D) with 16-byte tags, over one context that keeps its key. It belongs to one thread at a time.
@safe package struct AESGCM: ~Copyable {
    package static let tagByteCount = 16

    /// Who computes it. Both write the same bytes; docs/decisions/0029.
    package enum Library: CaseIterable, Sendable {
        case openSSL
        /// Four times as fast, on processors that have VAES, VPCLMULQDQ and AVX-512.
        case multiBuffer
    }

    @safe private enum Context {
        case openSSL(OpaquePointer)
        case multiBuffer(OpaquePointer)
    }

    private let context: Context

    nonisolated(unsafe) private static let algorithm: OpaquePointer = unsafe fetch()

    private static func fetch() -> OpaquePointer {
        guard let algorithm = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) else { fatalError("OpenSSL has no AES-256-GCM") }
        return unsafe algorithm
    }

    /// Without a key yet: `setKey` first.
    package init() {
        if let context = unsafe cl_mb_new() {
            unsafe self.context = .multiBuffer(context)
        } else {
            unsafe context = .openSSL(Self.openSSLContext())
        }
    }

    /// Without a key yet, and nil when this processor gains nothing by that library.
    package init?(by library: Library) {
        switch library {
        case .openSSL: unsafe context = .openSSL(Self.openSSLContext())
        case .multiBuffer:
            guard let context = unsafe cl_mb_new() else { return nil }
            unsafe self.context = .multiBuffer(context)
        }
    }

    package init(key: SecretKey) {
        self.init()
        setKey(key)
    }

    private static func openSSLContext() -> OpaquePointer {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { fatalError("no memory for a cipher") }
        checked(unsafe EVP_EncryptInit_ex2(context, algorithm, nil, nil, nil))
        return unsafe context
    }

    // Both clear the key schedule.
    deinit {
        switch context {
        case .openSSL(let context): unsafe EVP_CIPHER_CTX_free(context)
        case .multiBuffer(let context): unsafe cl_mb_free(context)
        }
    }

    package mutating func setKey(_ key: SecretKey) {
        unsafe key.withBytes { bytes in unsafe setKey(bytes) }
    }

    /// A key that was derived just now.
    mutating func setKey(_ key: Digest) {
        unsafe withUnsafeBytes(of: key.words) { bytes in unsafe setKey(bytes) }
    }

    private mutating func setKey(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == 32)
        let bytes = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress!
        switch context {
        case .openSSL(let context): checked(unsafe EVP_EncryptInit_ex2(context, nil, bytes, nil, nil))
        case .multiBuffer(let context): unsafe cl_mb_set_key(context, bytes)
        }
    }

    /// Appends ciphertext and tag: `plain.count + 16` bytes.
    package mutating func seal(
        _ plain: Span<UInt8>, nonce: Nonce, aad: Span<UInt8>, appendingTo output: inout [UInt8]
    ) {
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: plain.count + Self.tagByteCount))
        unsafe plain.withUnsafeBytes { plain in
            unsafe output.withUnsafeMutableBytes { output in
                unsafe seal(plain, nonce: nonce, aad: aad, into: UnsafeMutableRawBufferPointer(rebasing: output[start...]))
            }
        }
    }

    /// `output` has room for `plain.count + 16` bytes.
    mutating func seal(
        _ plain: UnsafeRawBufferPointer, nonce: Nonce, aad: Span<UInt8>, into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(output.count >= plain.count + Self.tagByteCount)
        let target = unsafe output.assumingMemoryBound(to: UInt8.self).baseAddress!
        let source = unsafe plain.assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe nonce.bytes.span.withUnsafeBufferPointer { nonce in
            unsafe aad.withUnsafeBufferPointer { aad in
                switch context {
                case .openSSL(let context):
                    checked(
                        unsafe cl_gcm_seal(
                            context, nonce.baseAddress, aad.baseAddress, Int32(aad.count), source, Int32(plain.count), target,
                            target + plain.count))
                case .multiBuffer(let context):
                    unsafe cl_mb_seal(
                        context, nonce.baseAddress!, aad.baseAddress, aad.count, source, plain.count, target,
                        target + plain.count)
                }
            }
        }
    }

    /// Appends the plaintext of `sealed`, which ends with its tag. Nothing is appended when it does not open.
    package mutating func open(
        _ sealed: Span<UInt8>, nonce: Nonce, aad: Span<UInt8>, appendingTo output: inout [UInt8]
    ) throws(CryptographyError) {
        guard sealed.count >= Self.tagByteCount else { throw .truncated }
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: sealed.count - Self.tagByteCount))
        let isOpen = unsafe sealed.withUnsafeBytes { sealed in
            unsafe output.withUnsafeMutableBytes { output in
                unsafe open(sealed, nonce: nonce, aad: aad, into: UnsafeMutableRawBufferPointer(rebasing: output[start...]))
            }
        }
        if isOpen { return }
        output.removeLast(output.count - start)
        throw .authenticationFailed
    }

    /// Opens the last `count` bytes of `output` where they are. They are taken away when the tag does not fit.
    mutating func open(
        last count: Int, of output: inout OutputSpan<UInt8>, tag: Span<UInt8>, nonce: Nonce, aad: Span<UInt8>
    ) throws(CryptographyError) {
        guard tag.count == Self.tagByteCount, count <= output.count else { throw .truncated }
        let code = unsafe output.withUnsafeMutableBufferPointer { buffer, filled -> Int32 in
            guard var bytes = buffer.baseAddress else { return -1 }
            unsafe bytes += filled - count
            let code = unsafe nonce.bytes.span.withUnsafeBufferPointer { nonce in
                unsafe aad.withUnsafeBufferPointer { aad in
                    unsafe tag.withUnsafeBufferPointer { tag in
                        unsafe open(
                            bytes, count, nonce: nonce.baseAddress!, aad: aad, tag: tag.baseAddress!, into: bytes)
                    }
                }
            }
            if code != 1 { unsafe OPENSSL_cleanse(bytes, count) }
            return code
        }
        if code == 1 { return }
        if code < 0 { fatalError("OpenSSL refused to decrypt") }
        output.removeLast(count)
        throw .authenticationFailed
    }

    /// `output` has room for `sealed.count - 16` bytes; it is cleared when the tag does not fit.
    mutating func open(
        _ sealed: UnsafeRawBufferPointer, nonce: Nonce, aad: Span<UInt8>, into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let count = sealed.count - Self.tagByteCount
        precondition(count >= 0 && output.count >= count)
        var spare: UInt8 = 0
        let source = unsafe sealed.assumingMemoryBound(to: UInt8.self).baseAddress!
        let code = unsafe withUnsafeMutablePointer(to: &spare) { spare in
            unsafe nonce.bytes.span.withUnsafeBufferPointer { nonce in
                unsafe aad.withUnsafeBufferPointer { aad in
                    unsafe open(
                        source, count, nonce: nonce.baseAddress!, aad: aad, tag: source + count,
                        into: output.assumingMemoryBound(to: UInt8.self).baseAddress ?? spare)
                }
            }
        }
        if code == 1 { return true }
        if code < 0 { fatalError("OpenSSL refused to decrypt") }
        unsafe OPENSSL_cleanse(output.baseAddress, count)
        return false
    }

    /// 1 opened, 0 the tag does not fit, -1 the library refused.
    private mutating func open(
        _ sealed: UnsafePointer<UInt8>, _ count: Int, nonce: UnsafePointer<UInt8>, aad: UnsafeBufferPointer<UInt8>,
        tag: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt8>
    ) -> Int32 {
        switch context {
        case .openSSL(let context):
            return unsafe cl_gcm_open(
                context, nonce, aad.baseAddress, Int32(aad.count), sealed, Int32(count), tag, output)
        case .multiBuffer(let context):
            var expected = InlineArray<16, UInt8>(repeating: 0)
            var span = expected.mutableSpan
            return unsafe span.withUnsafeMutableBufferPointer { expected in
                unsafe cl_mb_open(context, nonce, aad.baseAddress, aad.count, sealed, count, output, expected.baseAddress!)
                return unsafe CRYPTO_memcmp(expected.baseAddress, tag, Self.tagByteCount) == 0 ? 1 : 0
            }
        }
    }
}
