import COpenSSL

/// SHA-256 (FIPS 180-4) over one context that is used again and again: no allocation per digest. It belongs to one thread at
/// a time.
@safe package struct SHA256: ~Copyable {
    private let context: OpaquePointer
    private var isStarted = false

    /// Fetched once: looking an algorithm up costs more than hashing an event.
    nonisolated(unsafe) static let algorithm: OpaquePointer = unsafe fetch()

    private static func fetch() -> OpaquePointer {
        guard let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil) else { fatalError("OpenSSL has no SHA-256") }
        return unsafe algorithm
    }

    package init() {
        guard let context = unsafe EVP_MD_CTX_new() else { fatalError("no memory for a digest") }
        unsafe self.context = context
        checked(unsafe EVP_DigestInit_ex2(context, Self.algorithm, nil))
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

    package mutating func update(byte: UInt8) {
        unsafe withUnsafeBytes(of: byte) { unsafe update($0) }
    }

    /// Eight bytes, most significant first.
    package mutating func update(_ word: UInt64) {
        unsafe withUnsafeBytes(of: word.bigEndian) { unsafe update($0) }
    }

    package mutating func update(_ digest: Digest) {
        unsafe withUnsafeBytes(of: digest.words) { unsafe update($0) }
    }

    package mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { unsafe update(UnsafeRawBufferPointer($0)) }
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        start()
        checked(unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    /// The digest of everything since the last one; ready for the next message.
    package mutating func finish() -> Digest {
        start()
        isStarted = false
        return unsafe Digest { result in checked(unsafe EVP_DigestFinal_ex(context, result, nil)) }
    }

    /// The digest of `prefix` and `bytes`, as in the leaves and nodes of RFC 6962. What was not finished is forgotten.
    package mutating func digest(prefix: UInt8, _ bytes: Span<UInt8>) -> Digest {
        unsafe bytes.withUnsafeBytes { unsafe digest(prefix: prefix, $0) }
    }

    package mutating func digest(prefix: UInt8, _ bytes: UnsafeRawBufferPointer) -> Digest {
        isStarted = false
        return unsafe Digest { result in
            checked(unsafe cl_digest_with_prefix(context, prefix, bytes.baseAddress, bytes.count, result))
        }
    }

    /// The digest of `prefix` and two digests: the parent of two nodes in the tree of RFC 6962.
    package mutating func digest(prefix: UInt8, _ left: Digest, _ right: Digest) -> Digest {
        let pair = (left.words, right.words)
        return unsafe withUnsafeBytes(of: pair) { unsafe digest(prefix: prefix, $0) }
    }

    private mutating func start() {
        if isStarted { return }
        checked(unsafe EVP_DigestInit_ex2(context, nil, nil))
        isStarted = true
    }

    /// In one go; slower than a kept context by an allocation.
    package static func digest(of bytes: Span<UInt8>) -> Digest {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe Digest { result in
                checked(unsafe EVP_Digest(bytes.baseAddress, bytes.count, result, nil, algorithm, nil))
            }
        }
    }

    package static func digest(of bytes: [UInt8]) -> Digest { digest(of: bytes.span) }
}

/// OpenSSL refuses these calls only when it is out of memory or was given nonsense: neither leaves anything to go on with.
func checked(_ code: Int32, line: Int = #line) {
    if code <= 0 { fatalError("OpenSSL refused a call (line \(line))") }
}
