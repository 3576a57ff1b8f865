/// Why bytes are not the JSON that is accepted here. It names a place, never the text found there.
package struct JSONProblem: Error, Hashable, Sendable {
    package enum Code: String, Sendable, CaseIterable {
        case tooLarge = "json_too_large"
        case invalidUTF8 = "json_invalid_utf8"
        case unexpectedEnd = "json_unexpected_end"
        case unexpectedCharacter = "json_unexpected_character"
        case trailingCharacters = "json_trailing_characters"
        case tooDeep = "json_too_deep"
        case duplicateKey = "json_duplicate_key"
        case invalidNumber = "json_invalid_number"
        case inexactNumber = "json_inexact_number"
        case invalidEscape = "json_invalid_escape"
        case controlCharacter = "json_control_character"
    }

    package let code: Code
    /// Byte offset from the start.
    package let offset: Int

    package init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    package var message: String {
        let reason =
            switch code {
            case .tooLarge: "the document is larger than is accepted"
            case .invalidUTF8: "the text is not UTF-8"
            case .unexpectedEnd: "the text ends before the document does"
            case .unexpectedCharacter: "a character stands where none is allowed"
            case .trailingCharacters: "something follows the end of the document"
            case .tooDeep: "values are nested more than \(JSONValue.depthLimit) deep"
            case .duplicateKey: "an object names one key twice"
            case .invalidNumber: "a number is not written as JSON asks"
            case .inexactNumber: "a number cannot be kept exactly"
            case .invalidEscape: "an escape in a string is not valid"
            case .controlCharacter: "a string holds a bare control character"
            }
        return "Not valid JSON at byte \(offset): \(reason)."
    }

    package var remedy: String {
        switch code {
        case .inexactNumber: "Write the number as a string, or with at most 17 significant digits."
        case .tooLarge, .tooDeep: "Send a smaller document."
        default: "Send one JSON document in UTF-8 (RFC 8259)."
        }
    }
}
