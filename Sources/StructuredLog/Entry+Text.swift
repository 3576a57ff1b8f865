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
        case .text(let value): value.visible()
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .flag(let value): value ? "yes" : "no"
        case .redacted: "[redacted]"
        }
    }
}

extension String {
    /// As a terminal may get it, whoever wrote it: control characters are spelled out, but for line ends where there may be some.
    package func visible(keepingLines: Bool = false) -> String {
        let isShown = { (scalar: Unicode.Scalar) in !scalar.isControl || keepingLines && scalar == "\n" }
        if unicodeScalars.allSatisfy(isShown) { return self }
        return unicodeScalars.reduce(into: "") { $0 += isShown($1) ? String($1) : $1.escaped(asASCII: true) }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029 }
}
