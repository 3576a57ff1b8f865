import Sandbox
import Testing

struct `SHA-256` {
    /// The examples of NIST's CSRC for FIPS 180-4.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ]) func `gives the published digests`(_ text: String, _ digest: String) {
        #expect(hexDigest(Array(text.utf8)) == digest)
    }

    @Test func `gives the published digest of a million letters`() {
        let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(hexDigest([UInt8](repeating: 0x61, count: 1_000_000)) == digest)
    }

    @Test func `does not depend on how the bytes come`() {
        let bytes = (0..<200).map { UInt8($0) }
        for length in [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 200] {
            let whole = hexDigest(Array(bytes[..<length]))
            for split in 0...length {
                var digest = SHA256()
                digest.update(Array(bytes[..<split]))
                digest.update(Array(bytes[split..<length]))
                #expect(hexText(digest.finish()) == whole)
            }
        }
    }
}
