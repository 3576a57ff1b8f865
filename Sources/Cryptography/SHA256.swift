import COpenSSL

/// SHA-256 (FIPS 180-4) over one context that is used again and again: no allocation per digest. It belongs to one thread at
/// a time.
@safe package struct SHA256: ~Copyable {
    private let context: UnsafeMutablePointer<SHA256_CTX>
    private var isStarted = false

    package init() {
        unsafe context = .allocate(capacity: 1)
        unsafe context.initialize(to: SHA256_CTX())
    }

    deinit {
        unsafe OPENSSL_cleanse(context, MemoryLayout<SHA256_CTX>.size)
        unsafe context.deallocate()
    }

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
        checked(unsafe SHA256_Update(context, bytes.baseAddress, bytes.count))
    }

    /// The digest of everything since the last one; ready for the next message.
    package mutating func finish() -> Digest {
        start()
        isStarted = false
        return unsafe Digest { result in checked(unsafe SHA256_Final(result, context)) }
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

    /// HMAC's two digests over a key's pads. What was not finished is forgotten.
    mutating func code(_ pads: UnsafeRawPointer, _ head: UnsafeRawBufferPointer, _ message: Span<UInt8>) -> Digest {
        isStarted = false
        return unsafe message.withUnsafeBytes { message in
            unsafe Digest { result in
                checked(
                    unsafe cl_hmac(
                        context, pads.assumingMemoryBound(to: UInt8.self), head.baseAddress, head.count, message.baseAddress,
                        message.count, result))
            }
        }
    }

    /// Forgets what went into the last digest.
    mutating func restart() {
        unsafe OPENSSL_cleanse(context, MemoryLayout<SHA256_CTX>.size)
        isStarted = false
    }

    /// The digest of `prefix` and two digests: the parent of two nodes in the tree of RFC 6962.
    package mutating func digest(prefix: UInt8, _ left: Digest, _ right: Digest) -> Digest {
        let pair = (left.words, right.words)
        return unsafe withUnsafeBytes(of: pair) { unsafe digest(prefix: prefix, $0) }
    }

    private mutating func start() {
        if isStarted { return }
        checked(unsafe SHA256_Init(context))
        isStarted = true
    }

    /// In one go.
    package static func digest(of bytes: Span<UInt8>) -> Digest {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    package static func digest(of bytes: [UInt8]) -> Digest { digest(of: bytes.span) }
}

/// OpenSSL refuses these calls only when it is out of memory or was given nonsense: neither leaves anything to go on with.
func checked(_ code: Int32, line: Int = #line) {
    if code <= 0 { fatalError("OpenSSL refused a call (line \(line))") }
}
