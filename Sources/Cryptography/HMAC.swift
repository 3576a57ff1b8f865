import COpenSSL

/// HMAC-SHA256 (RFC 2104, FIPS 198-1) with one context, used for one message after another. It belongs to one thread at a time.
@safe package struct HMAC: ~Copyable {
    private static let blockSize = 64

    private var inner = SHA256()
    private let outerPad: UnsafeMutableRawBufferPointer
    private let innerPad: UnsafeMutableRawBufferPointer
    private var isStarted = false

    package init(key: SecretKey) {
        self.init()
        unsafe key.withBytes { unsafe mix($0) }
    }

    package init(key: [UInt8]) {
        self.init()
        if key.count > Self.blockSize {
            let digest = SHA256.digest(of: key)
            unsafe withUnsafeBytes(of: digest.words) { unsafe mix($0) }
        } else {
            unsafe key.withUnsafeBytes { unsafe mix($0) }
        }
    }

    private init() {
        unsafe innerPad = .allocate(byteCount: Self.blockSize, alignment: 16)
        unsafe outerPad = .allocate(byteCount: Self.blockSize, alignment: 16)
        unsafe innerPad.initializeMemory(as: UInt8.self, repeating: 0x36)
        unsafe outerPad.initializeMemory(as: UInt8.self, repeating: 0x5C)
    }

    deinit {
        unsafe OPENSSL_cleanse(innerPad.baseAddress, Self.blockSize)
        unsafe OPENSSL_cleanse(outerPad.baseAddress, Self.blockSize)
        unsafe innerPad.deallocate()
        unsafe outerPad.deallocate()
    }

    /// Written out: `^=` on an element makes the compiler (6.3.1) fail with its thread sanitizer.
    private func mix(_ key: UnsafeRawBufferPointer) {
        for index in 0..<key.count {
            unsafe innerPad[index] = innerPad[index] ^ key[index]
            unsafe outerPad[index] = outerPad[index] ^ key[index]
        }
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        start()
        inner.update(bytes)
    }

    package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        start()
        unsafe inner.update(bytes)
    }

    package mutating func update(byte: UInt8) {
        start()
        inner.update(byte: byte)
    }

    package mutating func update(_ digest: Digest) {
        start()
        inner.update(digest)
    }

    /// The code of everything since the last one; ready for the next message.
    package mutating func finish() -> Digest {
        start()
        isStarted = false
        let digest = inner.finish()
        unsafe inner.update(UnsafeRawBufferPointer(outerPad))
        inner.update(digest)
        return inner.finish()
    }

    private mutating func start() {
        if isStarted { return }
        unsafe inner.update(UnsafeRawBufferPointer(innerPad))
        isStarted = true
    }

    package static func code(key: SecretKey, _ message: [UInt8]) -> Digest {
        var code = HMAC(key: key)
        code.update(message)
        return code.finish()
    }

    package static func code(key: [UInt8], _ message: [UInt8]) -> Digest {
        var code = HMAC(key: key)
        code.update(message)
        return code.finish()
    }
}
