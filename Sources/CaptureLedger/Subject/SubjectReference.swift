/// The host's word for a person, in whatever form it came: composed or decomposed letters, and blanks around it, are one reference.
struct SubjectReference {
    /// What a session is found by: Unicode's normalization form C (UAX #15) without white space around.
    let normal: String
    /// What is asked for, each once: that, and the reference as an earlier version of this program may have taken it, which kept it as it was
    /// typed: the very text, or with a blank around it or a line feed behind.
    let spellings: [[UInt8]]

    init(_ typed: String) {
        normal = Self.normal(typed)
        var forms: [[UInt8]] = [Array(normal.utf8)]
        for text in [typed, Self.trimmed(typed), normal] {
            for form in [text, text + " ", " " + text, " " + text + " ", text + "\n"] {
                // compared as bytes: two strings that differ in form alone are equal
                if !forms.contains(Array(form.utf8)) { forms.append(Array(form.utf8)) }
            }
        }
        spellings = forms
    }

    /// A reference of white space alone stays as it is.
    private static func normal(_ typed: String) -> String {
        var bytes: [UInt8] = []
        trimmed(typed)._withNFCCodeUnits { bytes.append($0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func trimmed(_ typed: String) -> String {
        let scalars = typed.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return typed }
        return String(scalars[first...last])
    }
}
