import Cryptography
import SystemCalls
import Testing

private func isThere(_ library: AESGCM.Library) -> Bool {
    guard AESGCM(by: library) != nil else { return false }
    return true
}

@Suite struct VectorTests {
    @Test func `SHA-256 gives the digests of FIPS 180-4's examples`() {
        let vectors = [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
        var hash = SHA256()
        for (message, digest) in vectors {
            #expect(SHA256.digest(of: Array(message.utf8)).hex == digest)
            hash.update(message)
            #expect(hash.finish().hex == digest)
        }
        for _ in 0..<1000 { hash.update([UInt8](repeating: UInt8(ascii: "a"), count: 1000)) }
        #expect(hash.finish().hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func `a digest is the same however its message is cut, and with a prefix byte`() {
        let message = (0..<600).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var hash = SHA256()
        for cut in [0, 1, 63, 64, 65, 300, 600] {
            hash.update(Array(message[..<cut]))
            hash.update(Array(message[cut...]))
            #expect(hash.finish() == SHA256.digest(of: message))
        }
        #expect(hash.digest(prefix: 2, message.span) == SHA256.digest(of: [2] + message))
        #expect(hash.finish() == SHA256.digest(of: []))
    }

    @Test func `HMAC gives the codes of RFC 4231`() {
        let vectors: [([UInt8], [UInt8], String)] = [
            (
                .init(repeating: 0x0B, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                .init(repeating: 0xAA, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ]
        for (key, message, code) in vectors {
            #expect(HMAC.code(key: key, message).hex == code)
            var again = HMAC(key: key)
            for _ in 0..<2 {
                for byte in message { again.update(byte: byte) }
                #expect(again.finish().hex == code)
            }
        }
    }

    @Test func `HKDF gives the keys of RFC 5869`() {
        let first = HKDF.extract([UInt8](repeating: 0x0B, count: 22), salt: hex("000102030405060708090a0b0c"))
        #expect(hex(first.copyBytes()) == "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5")
        #expect(
            hex(HKDF.expand(first, info: hex("f0f1f2f3f4f5f6f7f8f9"), count: 42))
                == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
        let unsalted = HKDF.extract([UInt8](repeating: 0x0B, count: 22))
        #expect(
            hex(HKDF.expand(unsalted, info: [], count: 42))
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
        #expect(HKDF.expand(first, info: hex("f0f1"), count: 32) == HKDF.expand(first, info: hex("f0f1")).copyBytes())
    }

    @Test(arguments: AESGCM.Library.allCases.filter(isThere))
    func `AES-256-GCM gives the ciphertexts of McGrew and Viega's test cases 13 to 16`(library: AESGCM.Library) throws {
        struct Vector {
            var key, nonce, plain, aad, sealed: String
        }
        let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
        let plain =
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
        let cipher =
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
        let zeros = String(repeating: "0", count: 64)
        let vectors = [
            Vector(key: zeros, nonce: String(zeros.prefix(24)), plain: "", aad: "", sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
            Vector(
                key: zeros, nonce: String(zeros.prefix(24)), plain: String(zeros.prefix(32)), aad: "",
                sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
            Vector(
                key: key, nonce: "cafebabefacedbaddecaf888", plain: plain + "1aafd255", aad: "",
                sealed: cipher + "898015adb094dac5d93471bdec1a502270e3cc6c"),
            Vector(
                key: key, nonce: "cafebabefacedbaddecaf888", plain: plain, aad: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                sealed: cipher + "76fc6ece0f4e1768cddf8853bb2d551b"),
        ]
        guard var gcm = AESGCM(by: library) else { fatalError("asked just now") }
        for vector in vectors {
            gcm.setKey(try #require(SecretKey(copying: hex(vector.key))))
            let nonce = try #require(Nonce(hex(vector.nonce)))
            let aad = hex(vector.aad)
            var sealed: [UInt8] = []
            gcm.seal(hex(vector.plain).span, nonce: nonce, aad: aad.span, appendingTo: &sealed)
            #expect(hex(sealed) == vector.sealed)
            var opened: [UInt8] = [9]
            try gcm.open(sealed.span, nonce: nonce, aad: aad.span, appendingTo: &opened)
            #expect(opened == [9] + hex(vector.plain))
        }
    }

    @Test(.enabled(if: isThere(.multiBuffer), "the processor has no wide AES instructions"))
    func `two libraries seal to the same bytes, and open nothing that was altered`() throws {
        guard var fast = AESGCM(by: .multiBuffer), var slow = AESGCM(by: .openSSL) else { fatalError("asked just now") }
        var random = SeededGenerator(7)
        let counts =
            Array(0...130) + [255, 256, 257, 1_023, 4_096, 65_535, 65_536, 65_537]
            + (0..<40).map { _ in .random(in: 0..<9_000, using: &random) }
        for (round, count) in counts.enumerated() {
            let bytes = { (count: Int) in (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
            if round.isMultiple(of: 16) {
                let key = try #require(SecretKey(copying: bytes(32)))
                fast.setKey(key)
                slow.setKey(key)
            }
            let (nonce, aad, plain) = (try #require(Nonce(bytes(12))), bytes(round % 40), bytes(count))
            var (one, other): ([UInt8], [UInt8]) = ([], [])
            fast.seal(plain.span, nonce: nonce, aad: aad.span, appendingTo: &one)
            slow.seal(plain.span, nonce: nonce, aad: aad.span, appendingTo: &other)
            #expect(one == other, "\(count) bytes, \(aad.count) authenticated beside them")
            var opened: [UInt8] = []
            try fast.open(other.span, nonce: nonce, aad: aad.span, appendingTo: &opened)
            #expect(opened == plain)
            for index in [0, count / 2, max(0, count - 1), count, count + 15] where index < one.count {
                var altered = one
                altered[index] ^= 1 << (round % 8)
                opened = [9]
                #expect(throws: CryptographyError.authenticationFailed) {
                    try fast.open(altered.span, nonce: nonce, aad: aad.span, appendingTo: &opened)
                }
                #expect(opened == [9])
            }
            #expect(throws: CryptographyError.authenticationFailed) {
                try fast.open(one.span, nonce: nonce, aad: (aad + [0]).span, appendingTo: &opened)
            }
            #expect(throws: CryptographyError.authenticationFailed) {
                try fast.open(one.span, nonce: try #require(Nonce(bytes(12))), aad: aad.span, appendingTo: &opened)
            }
        }
    }

    @Test func `a processor with wide AES instructions uses them`() throws {
        let flags =
            try String(decoding: FileDescriptor(opening: "/proc/cpuinfo", .read).readToEnd(limit: 1 << 20), as: UTF8.self)
            .split(separator: "\n").first { $0.hasPrefix("flags") }?.split(separator: " ") ?? []
        let isWide = ["vaes", "vpclmulqdq", "avx512f", "avx512dq", "avx512bw", "avx512vl", "gfni"].allSatisfy {
            flags.contains($0[...])
        }
        #expect(isThere(.multiBuffer) == isWide)
    }

    @Test func `comparing takes every byte into account`() {
        let bytes = SHA256.digest(of: [1])
        for index in 0..<32 {
            var other = bytes.bytes
            other[index] ^= 1
            #expect(Digest(other) != bytes)
            #expect(!constantTimeEquals(other, bytes.bytes))
        }
        #expect(Digest(bytes.bytes) == bytes)
        #expect(constantTimeEquals(bytes.bytes, bytes.bytes))
        #expect(!constantTimeEquals(bytes.bytes, []))
    }
}
