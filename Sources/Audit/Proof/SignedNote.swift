import Cryptography

/// A text with signatures, in the form of c2sp.org/signed-note.
package struct SignedNote: Hashable, Sendable {
    package struct Signature: Hashable, Sendable {
        package let name: String
        /// Four bytes that, with the name, say which key it is.
        package let keyID: [UInt8]
        package let bytes: [UInt8]
    }

    /// Ends with a line feed.
    package let text: String
    package let signatures: [Signature]

    package init(text: String, signatures: [Signature]) {
        self.text = text
        self.signatures = signatures
    }

    /// More than any note of ours with the signatures of many witnesses.
    private static let byteLimit = 64 << 10
    private static let signatureLimit = 64
    private static let dash = Array("\u{2014} ".utf8)

    /// - Throws: `note_malformed`.
    package init(parsing note: String) throws(AuditError) {
        let units = Array(note.utf8)
        guard units.count <= Self.byteLimit else { throw Self.malformed("is too long") }
        guard units.allSatisfy({ $0 >= 0x20 || $0 == 0x0A }), units.last == 0x0A else {
            throw Self.malformed("has a control character, or does not end with a line feed")
        }
        guard let gap = (1..<units.count).last(where: { units[$0] == 0x0A && units[$0 - 1] == 0x0A }) else {
            throw Self.malformed("has no empty line before its signatures")
        }
        text = String(decoding: units[..<gap], as: UTF8.self)
        var signatures: [Signature] = []
        for line in units[(gap + 1)...].split(separator: 0x0A) {
            guard line.starts(with: Self.dash) else { throw Self.malformed("has a line that is no signature") }
            guard let signature = Self.signature(line) else { throw Self.malformed("has a signature that cannot be read") }
            signatures.append(signature)
        }
        guard (1...Self.signatureLimit).contains(signatures.count) else {
            throw Self.malformed("has no signature, or too many")
        }
        self.signatures = signatures
    }

    /// One line of a signature, without its line feed; nil for anything else.
    static func signature(_ line: some Collection<UInt8>) -> Signature? {
        guard line.starts(with: dash) else { return nil }
        let words = line.dropFirst(dash.count).split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 2, NoteKey.isName(words[0]), let signature = canonical(words[1]), signature.count > 4 else {
            return nil
        }
        return Signature(
            name: String(decoding: words[0], as: UTF8.self), keyID: Array(signature[..<4]), bytes: Array(signature[4...]))
    }

    /// The whole note.
    package var encoded: String {
        text + "\n" + signatures.map { "\u{2014} \($0.name) \(Base64.encode($0.keyID + $0.bytes))\n" }.joined()
    }

    /// Base64 as it is written, and in no other way.
    static func canonical(_ text: some Collection<UInt8>) -> [UInt8]? {
        let text = String(decoding: text, as: UTF8.self)
        guard let bytes = Base64.decode(text), Base64.encode(bytes) == text else { return nil }
        return bytes
    }

    private static func malformed(_ why: String) -> AuditError { AuditError(.noteMalformed, "The note \(why).") }
}
