extension Entry {
    /// `warning: message (name=value, …)`. Control characters of a value are shown, never sent to the terminal.
    package var text: String {
        var text = level.name + ": " + message
        guard !fields.isEmpty else { return text }
        text.append(" (")
        for (index, field) in fields.enumerated() {
            if index > 0 { text.append(", ") }
            text.append(field.name + "=" + field.value.text)
        }
        text.append(")")
        return text
    }
}

extension Field.Value {
    fileprivate var text: String {
        switch self {
        case .text(let value):
            value.unicodeScalars.reduce(into: "") { $0 += $1.isControl ? $1.escaped(asASCII: true) : String($1) }
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .flag(let value): value ? "yes" : "no"
        case .redacted: "[redacted]"
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029 }
}
