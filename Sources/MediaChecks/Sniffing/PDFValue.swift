/// A value of a PDF file (ISO 32000-2, 7.3), as far as counting pages needs it: strings are stepped over.
indirect enum PDFValue {
    case null
    case boolean(Bool)
    case integer(Int)
    case real(Double)
    case string
    case name(String)
    case array([PDFValue])
    case dictionary([String: PDFValue])
    case reference(Int)
    /// `obj`, `stream`, `trailer`, `R` and the like.
    case keyword(String)

    var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    var name: String? { if case .name(let value) = self { value } else { nil } }
    var array: [PDFValue]? { if case .array(let value) = self { value } else { nil } }
    var dictionary: [String: PDFValue]? { if case .dictionary(let value) = self { value } else { nil } }
    var reference: Int? { if case .reference(let value) = self { value } else { nil } }
    var isNull: Bool { if case .null = self { true } else { false } }

    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    func isKeyword(_ word: String) -> Bool { if case .keyword(let found) = self { found == word } else { false } }
}
