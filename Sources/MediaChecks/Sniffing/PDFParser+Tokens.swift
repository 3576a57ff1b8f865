extension PDFParser {
    mutating func peek() throws(MediaRefusal) -> UInt8 {
        budget -= 1
        guard budget >= 0 else { throw .pdfPagesUnknown("effort") }
        return try reader.byte(at: at)
    }

    mutating func take() throws(MediaRefusal) -> UInt8 {
        let byte = try peek()
        at += 1
        return byte
    }

    /// Steps over white space and comments; stops at the end.
    mutating func skipSpace() throws(MediaRefusal) {
        while at < reader.size {
            let byte = try peek()
            if byte == UInt8(ascii: "%") {
                while at < reader.size, try peek() != 0x0A, try peek() != 0x0D { at += 1 }
            } else if Self.isSpace(byte) {
                at += 1
            } else {
                return
            }
        }
    }

    /// Regular characters up to the next delimiter, at most 256.
    mutating func token() throws(MediaRefusal) -> String {
        var units: [UInt8] = []
        while at < reader.size, units.count < 256 {
            let byte = try peek()
            if Self.isSpace(byte) || Self.isDelimiter(byte) { break }
            units.append(byte)
            at += 1
        }
        return String(decoding: units, as: UTF8.self)
    }

    /// A name without its slash; `#xx` is resolved.
    mutating func name() throws(MediaRefusal) -> String {
        at += 1
        let raw = Array(try token().utf8)
        guard raw.contains(UInt8(ascii: "#")) else { return String(decoding: raw, as: UTF8.self) }
        var units: [UInt8] = []
        var index = 0
        while index < raw.count {
            if raw[index] == UInt8(ascii: "#"), index + 2 < raw.count,
                let code = UInt8(String(decoding: raw[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                units.append(code)
                index += 3
            } else {
                units.append(raw[index])
                index += 1
            }
        }
        return String(decoding: units, as: UTF8.self)
    }

    /// Steps over `( … )` with nested and escaped parentheses.
    mutating func literalString() throws(MediaRefusal) -> PDFValue {
        var depth = 0
        repeat {
            switch try take() {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "\\"): _ = try take()
            default: break
            }
        } while depth > 0
        return .string
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == 0x0C || byte == 0
    }

    static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "/"), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}
