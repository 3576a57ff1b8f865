import COpenSSL

/// HMAC-SHA256 (RFC 2104, FIPS 198-1) with one context, used for one message after another and for one key after another. It belongs
/// to one thread at a time.
@safe package struct HMAC: ~Copyable {
    private static let blockSize = 64

    private var hash = SHA256()
    /// The inner pad, then the outer one.
    private let pads: UnsafeMutableRawPointer
    private var isStarted = false

    /// Without a key yet: `setKey` first.
    package init() {
        unsafe pads = .allocate(byteCount: 2 * Self.blockSize, alignment: 16)
        setKey([UInt8]())
    }

    package init(key: SecretKey) {
        self.init()
        setKey(key)
    }

    package init(key: [UInt8]) {
        self.init()
        setKey(key)
    }

    deinit {
        unsafe OPENSSL_cleanse(pads, 2 * Self.blockSize)
        unsafe pads.deallocate()
    }

    package mutating func setKey(_ key: SecretKey) { unsafe key.withBytes { unsafe setKey($0) } }

    package mutating func setKey(_ key: [UInt8]) {
        if key.count > Self.blockSize {
            let digest = SHA256.digest(of: key)
            unsafe withUnsafeBytes(of: digest.words) { unsafe setKey($0) }
        } else {
            unsafe key.withUnsafeBytes { unsafe setKey($0) }
        }
    }

    /// Written out: `^=` on an element makes the compiler (6.3.1) fail with its thread sanitizer.
    private func setKey(_ key: UnsafeRawBufferPointer) {
        unsafe pads.initializeMemory(as: UInt8.self, repeating: 0x36, count: Self.blockSize)
        unsafe (pads + Self.blockSize).initializeMemory(as: UInt8.self, repeating: 0x5C, count: Self.blockSize)
        for index in 0..<key.count {
            unsafe pads.storeBytes(of: key[index] ^ 0x36, toByteOffset: index, as: UInt8.self)
            unsafe pads.storeBytes(of: key[index] ^ 0x5C, toByteOffset: Self.blockSize + index, as: UInt8.self)
        }
    }

    /// Forgets the key, and what was made with it: for a code that is used for many keys.
    package mutating func clear() {
        unsafe OPENSSL_cleanse(pads, 2 * Self.blockSize)
        hash.restart()
        isStarted = false
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        start()
        hash.update(bytes)
    }

    package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        start()
        unsafe hash.update(bytes)
    }

    package mutating func update(byte: UInt8) {
        start()
        hash.update(byte: byte)
    }

    package mutating func update(_ digest: Digest) {
        start()
        hash.update(digest)
    }

    /// The code of everything since the last one; ready for the next message.
    package mutating func finish() -> Digest {
        start()
        isStarted = false
        let digest = hash.finish()
        unsafe hash.update(UnsafeRawBufferPointer(start: pads + Self.blockSize, count: Self.blockSize))
        hash.update(digest)
        return hash.finish()
    }

    /// The code of one message, which begins with `head`: in one crossing. What was not finished is forgotten.
    package mutating func code(head: UInt8, _ message: [UInt8]) -> Digest {
        isStarted = false
        return unsafe withUnsafeBytes(of: head) { head in unsafe hash.code(pads, head, message.span) }
    }

    /// The same of a message without a head.
    package mutating func code(_ message: [UInt8]) -> Digest {
        isStarted = false
        return unsafe hash.code(pads, UnsafeRawBufferPointer(start: nil, count: 0), message.span)
    }

    private mutating func start() {
        if isStarted { return }
        unsafe hash.update(UnsafeRawBufferPointer(start: pads, count: Self.blockSize))
        isStarted = true
    }

    package static func code(key: SecretKey, _ message: [UInt8]) -> Digest {
        var code = HMAC(key: key)
        return code.code(message)
    }

    package static func code(key: [UInt8], _ message: [UInt8]) -> Digest {
        var code = HMAC(key: key)
        return code.code(message)
    }
}
