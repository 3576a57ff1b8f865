package import Cryptography

/// The public half of an Ed25519 key that signs notes, under a name.
package struct NoteKey: Hashable, Sendable {
    /// The type of Ed25519 signatures in c2sp.org/signed-note.
    private static let type: UInt8 = 1

    package let name: String
    package let publicKey: [UInt8]

    /// - Parameter publicKey: 32 bytes.
    package init(name: String, publicKey: [UInt8]) {
        self.name = name
        self.publicKey = publicKey
    }

    /// The text `NAME+HASH+KEY`, around which white space does not matter.
    ///
    /// - Throws: `key_malformed`.
    package init(parsing text: String) throws(AuditError) {
        (name, publicKey) = try Self.parse(text, type: Self.type, what: "a verifier of Ed25519 notes")
    }

    /// - Parameters:
    ///   - type: of signature.
    ///   - what: whose key it should be.
    static func parse(
        _ text: String, type: UInt8, what: String
    ) throws(AuditError) -> (name: String, publicKey: [UInt8]) {
        var units = Array(text.utf8.drop { $0 <= 0x20 })
        while let last = units.last, last <= 0x20 { units.removeLast() }
        let parts = units.split(separator: UInt8(ascii: "+"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, Self.isName(parts[0]), let key = SignedNote.canonical(parts[2]), key.count == 33,
            key[0] == type
        else { throw AuditError(.keyMalformed, "This is not the key of \(what).") }
        let (name, publicKey) = (String(decoding: parts[0], as: UTF8.self), Array(key[1...]))
        guard Self.hexadecimal(keyID(name, type: type, publicKey)) == String(decoding: parts[1], as: UTF8.self) else {
            throw AuditError(.keyMalformed, "The hash in this key is not that of its name and key.")
        }
        return (name, publicKey)
    }

    package var keyID: [UInt8] { Self.keyID(name, type: Self.type, publicKey) }

    static func keyID(_ name: String, type: UInt8, _ publicKey: [UInt8]) -> [UInt8] {
        Array(SHA256.digest(of: Array(name.utf8) + [0x0A, type] + publicKey).bytes.prefix(4))
    }

    private static func hexadecimal(_ keyID: [UInt8]) -> String {
        keyID.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// As it is given to those who check: `NAME+HASH+KEY`.
    package var text: String { "\(name)+\(Self.hexadecimal(keyID))+\(Base64.encode([Self.type] + publicKey))" }

    package func sign(_ text: String, seed: SecretKey) -> SignedNote.Signature {
        SignedNote.Signature(name: name, keyID: keyID, bytes: Ed25519.sign(Array(text.utf8), seed: seed))
    }

    /// The note carries a signature of this key, and every one it carries is right.
    package func verifies(_ note: SignedNote) -> Bool {
        let keyID = keyID
        let own = note.signatures.filter { $0.name == name && $0.keyID == keyID }
        let text = Array(note.text.utf8)
        return !own.isEmpty && own.allSatisfy { Ed25519.verify($0.bytes, of: text, publicKey: publicKey) }
    }

    /// Neither empty, nor with spaces, nor with a plus.
    static func isName(_ units: some Collection<UInt8>) -> Bool {
        let name = String(decoding: units, as: UTF8.self)
        return !name.isEmpty
            && name.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0 != "+" && $0.value >= 0x20 }
    }
}
