/// Reads PDF values one after the other, with a budget so that no file takes long.
struct PDFParser {
    static let deepestNesting = 32

    var reader: ByteReader
    var at: Int64
    /// Bytes that may still be looked at, unpacked ones included.
    var budget = 32 << 20

    init(_ reader: ByteReader, at offset: Int64) {
        self.reader = reader
        self.at = offset
    }

    /// The next value or keyword.
    mutating func next(depth: Int = 0) throws(MediaRefusal) -> PDFValue {
        guard depth < Self.deepestNesting else { throw .pdfPagesUnknown("nesting") }
        try skipSpace()
        let first = try peek()
        switch first {
        case UInt8(ascii: "/"): return .name(try name())
        case UInt8(ascii: "("): return try literalString()
        case UInt8(ascii: "["): return .array(try array(depth))
        case UInt8(ascii: "<"):
            at += 1
            if try peek() == UInt8(ascii: "<") {
                at += 1
                return .dictionary(try dictionary(depth))
            }
            while try take() != UInt8(ascii: ">") {}
            return .string
        case UInt8(ascii: "]"), UInt8(ascii: ">"):
            at += 1
            if first == UInt8(ascii: ">"), try peek() == UInt8(ascii: ">") { at += 1 }
            return .keyword(first == UInt8(ascii: "]") ? "]" : ">>")
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            return try number()
        default: return try word()
        }
    }

    private mutating func array(_ depth: Int) throws(MediaRefusal) -> [PDFValue] {
        at += 1
        var values: [PDFValue] = []
        while true {
            let value = try next(depth: depth + 1)
            if case .keyword(let word) = value {
                guard word == "]" else { throw .pdfPagesUnknown("syntax") }
                return values
            }
            values.append(value)
        }
    }

    private mutating func dictionary(_ depth: Int) throws(MediaRefusal) -> [String: PDFValue] {
        var values: [String: PDFValue] = [:]
        while true {
            let key = try next(depth: depth + 1)
            if key.isKeyword(">>") { return values }
            guard let name = key.name else { throw .pdfPagesUnknown("syntax") }
            let value = try next(depth: depth + 1)
            if case .keyword = value { throw .pdfPagesUnknown("syntax") }
            values[name] = value
        }
    }

    /// A number, or a reference where `n g R` stands.
    private mutating func number() throws(MediaRefusal) -> PDFValue {
        let text = try token()
        guard let value = Int(text) else {
            guard let real = Double(text), real.isFinite else { throw .pdfPagesUnknown("syntax") }
            return .real(real)
        }
        let after = at
        if value >= 0, try isReference() { return .reference(value) }
        at = after
        return .integer(value)
    }

    private mutating func isReference() throws(MediaRefusal) -> Bool {
        try skipSpace()
        guard let digit = try reader.byteIfAny(at: at), (0x30...0x39).contains(digit) else { return false }
        guard try token().utf8.count <= 5 else { return false }
        try skipSpace()
        guard try reader.byteIfAny(at: at) == UInt8(ascii: "R") else { return false }
        return try token() == "R"
    }

    private mutating func word() throws(MediaRefusal) -> PDFValue {
        let text = try token()
        switch text {
        case "": throw .pdfPagesUnknown("syntax")
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        default: return .keyword(text)
        }
    }
}
