extension JSONValue {
    /// Canonical text: sorted keys, no space, `/` bare, shortest numbers, only what must be escaped escaped.
    package var canonical: String { String(decoding: canonicalBytes, as: UTF8.self) }

    package var canonicalBytes: [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }
}

/// Appends canonical JSON to bytes.
package struct JSONWriter {
    package var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): write(value)
        case .number(let value): write(value)
        case .string(let text): write(text)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(value)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(member.key)
                bytes.append(UInt8(ascii: ":"))
                write(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    package mutating func write(_ value: Int64) {
        var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
        var (first, rest) = (20, value.magnitude)
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        bytes.append(addingCapacity: 21 - first) { output in
            if value < 0 { output.append(UInt8(ascii: "-")) }
            for index in first..<20 { output.append(digits[index]) }
        }
    }

    /// The fewest digits that read back as the same double; a value that JSON cannot hold becomes null.
    package mutating func write(_ value: Double) {
        guard value.isFinite else {
            bytes.append(contentsOf: "null".utf8)
            return
        }
        if let whole = Int64(exactly: value), whole.magnitude <= 1 << 53 {
            write(whole)
        } else {
            bytes.append(contentsOf: value.description.utf8)
        }
    }

    /// Appends a short text as it is, such as a key and what surrounds it.
    package mutating func put(_ text: String) {
        let units = text.utf8.span
        bytes.append(addingCapacity: units.count) { output in
            for index in units.indices { output.append(units[index]) }
        }
    }

    package mutating func write(_ text: String) {
        if Self.isPlain(text) {
            if text.utf8.count > 32 {
                bytes.append(UInt8(ascii: "\""))
                bytes.append(contentsOf: text.utf8)
                bytes.append(UInt8(ascii: "\""))
            } else {
                writeCode(text)
            }
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for unit in text.utf8 {
            switch unit {
            case UInt8(ascii: "\""): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "\"")])
            case UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "\\")])
            case 0x08: bytes.append(contentsOf: "\\b".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0C: bytes.append(contentsOf: "\\f".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Digest256.digit(unit >> 4))
                bytes.append(Digest256.digit(unit & 15))
            default: bytes.append(unit)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func write(_ digest: Digest256) {
        bytes.append(UInt8(ascii: "\""))
        digest.appendHex(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func write(_ uuid: UUID128) {
        bytes.append(UInt8(ascii: "\""))
        uuid.appendText(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A short text that holds nothing to escape, such as a code.
    package mutating func writeCode(_ text: String) {
        let units = text.utf8.span
        bytes.append(addingCapacity: units.count + 2) { output in
            output.append(UInt8(ascii: "\""))
            for index in units.indices { output.append(units[index]) }
            output.append(UInt8(ascii: "\""))
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        let units = text.utf8.span
        for index in units.indices {
            let unit = units[index]
            if unit < 0x20 || unit == UInt8(ascii: "\"") || unit == UInt8(ascii: "\\") { return false }
        }
        return true
    }
}
