extension Entry {
    /// `{"at_ms":…,"level":…,"message":…,FIELDS}` on one line. A field that takes a name of ours gets a leading underscore.
    package var json: String {
        var text = "{\"at_ms\":\(recordedAtMilliseconds),\"level\":\"\(level.name)\",\"message\":"
        text.appendJSON(message)
        for field in fields {
            text.append(",")
            text.appendJSON(["at_ms", "level", "message"].contains(field.name) ? "_" + field.name : field.name)
            text.append(":")
            switch field.value {
            case .text(let value): text.appendJSON(value)
            case .integer(let value): text.append(String(value))
            case .number(let value): text.append(value.isFinite ? String(value) : "null")
            case .flag(let value): text.append(value ? "true" : "false")
            case .redacted: text.append("\"[redacted]\"")
            }
        }
        text.append("}")
        return text
    }
}

extension String {
    fileprivate mutating func appendJSON(_ value: String) {
        append("\"")
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\n": append("\\n")
            case "\r": append("\\r")
            case "\t": append("\\t")
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default: unicodeScalars.append(scalar)
            }
        }
        append("\"")
    }
}
