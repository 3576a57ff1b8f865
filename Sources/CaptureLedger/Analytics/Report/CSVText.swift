/// Comma-separated values as RFC 4180 has them.
package enum CSVText {
    /// One record with its line end.
    package static func record(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") + "\r\n" }

    /// Quoted where it must be.
    static func field(_ text: String) -> String {
        let needsQuotes = text.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0D || $0 == 0x0A }
        return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }

    /// Text from outside, such as a context's name: one that a spreadsheet would take for a formula gets an apostrophe in front.
    package static func harmless(_ text: String) -> String { beginsFormula(text) ? "'" + text : text }

    /// Whether a spreadsheet may take it for a formula.
    static func beginsFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return ["=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].contains(first)
    }
}

extension ReportTable {
    package static let csvHeader = ["section", "row", "measure", "value", "of"]

    /// One record for each number: the section, the names of the row, what is measured, the number, and for a rate the whole of which
    /// it is a part. What is not known is an empty field.
    package var csv: String {
        var text = ""
        for row in rows {
            var names: [String] = []
            for (column, cell) in zip(columns, row) where column.kind == .text {
                if case .text(let name) = cell { names.append(name) } else { names.append("") }
            }
            let name = CSVText.harmless(names.joined(separator: " / "))
            for (column, cell) in zip(columns, row) where column.kind != .text {
                var whole = ""
                let value: String
                switch cell {
                case .count(let number), .milliseconds(let number): value = String(number)
                case .rate(let rate):
                    value = rate.value.map { String($0) } ?? ""
                    whole = String(rate.whole)
                case .number(let number): value = number.isFinite ? String(number) : ""
                case .text, .none, .unnamed: value = ""
                }
                text += CSVText.record([key, name, column.key, value, whole])
            }
        }
        return text
    }
}
