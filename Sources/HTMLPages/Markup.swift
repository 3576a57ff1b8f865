/// A piece of HTML. What is interpolated into it as text is escaped; only other markup goes in as it is.
///
///     let row: Markup = "<td>\(name)</td>"
package struct Markup: Sendable, Hashable, ExpressibleByStringInterpolation {
    package private(set) var text: String

    /// Markup as it was written in the source; never anything that came from outside.
    package init(stringLiteral value: String) { text = value }

    package init(stringInterpolation parts: Interpolation) { text = parts.text }

    package init() { text = "" }

    /// Text, escaped for an element and for a quoted attribute.
    package init(escaping text: String) {
        self.text = ""
        self.text.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": self.text += "&amp;"
            case "<": self.text += "&lt;"
            case ">": self.text += "&gt;"
            case "\"": self.text += "&quot;"
            case "'": self.text += "&#39;"
            // HTML allows no other control characters
            case "\u{0}"..<"\u{9}", "\u{B}"..<"\u{D}", "\u{E}"..<"\u{20}", "\u{7F}"..<"\u{A0}": self.text += "\u{FFFD}"
            default: self.text.unicodeScalars.append(scalar)
            }
        }
    }

    package struct Interpolation: StringInterpolationProtocol, Sendable {
        var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
        package mutating func appendInterpolation(_ text: String) { self.text += Markup(escaping: text).text }
        package mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }
    }

    package static func += (markup: inout Markup, more: Markup) { markup.text += more.text }

    package static func + (one: Markup, other: Markup) -> Markup {
        var both = one
        both += other
        return both
    }
}

extension Sequence<Markup> {
    package func joined(by separator: Markup = "") -> Markup {
        var all = Markup()
        for (index, piece) in enumerated() {
            if index > 0 { all += separator }
            all += piece
        }
        return all
    }
}
