package import SessionDomain

/// One section of a report: the same rows as a table, as JSON, as CSV and in a page.
package struct ReportTable: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Names the row.
        case text
        case count
        /// A part of a whole, which the column beside it counts.
        case rate
        case milliseconds
        /// A number with a fraction, such as a threshold.
        case number
    }

    package struct Column: Sendable, Hashable {
        package let key: String
        package let title: String
        package let kind: Kind

        package init(_ key: String, _ title: String, _ kind: Kind) {
            self.key = key
            self.title = title
            self.kind = kind
        }
    }

    package enum Cell: Sendable, Hashable {
        case text(String)
        case count(Int64)
        case rate(Rate)
        case milliseconds(Int64)
        case number(Double)
        /// Nothing is known: "n/a", and null in JSON.
        case none
        /// Has no name of its own: what stands in brackets for people is null in JSON.
        case unnamed(String)

        static func milliseconds(_ value: Int64?) -> Cell { value.map { .milliseconds($0) } ?? .none }
        static func text(_ value: String?) -> Cell { value.map { .text($0) } ?? .none }
        static func number(_ value: Double?) -> Cell { value.map { .number($0) } ?? .none }
    }

    /// The name in JSON and CSV.
    package let key: String
    package let title: String
    /// What is counted, and out of what.
    package let definition: String
    package let columns: [Column]
    package internal(set) var rows: [[Cell]] = []

    package init(_ key: String, _ title: String, _ definition: String, _ columns: [Column]) {
        self.key = key
        self.title = title
        self.definition = definition
        self.columns = columns
    }
}

/// A part of a whole. An empty whole has no rate.
package struct Rate: Sendable, Hashable {
    package let part: Int64
    package let whole: Int64

    package init(_ part: Int64, of whole: Int64) {
        self.part = part
        self.whole = whole
    }

    /// nil where the whole is empty.
    package var value: Double? { whole == 0 ? nil : Double(part) / Double(whole) }

    /// `83.3 %`, rounded half up on whole numbers; `n/a` for an empty whole.
    package var text: String {
        guard whole > 0 else { return "n/a" }
        let tenths = (part * 2_000 + whole) / (whole * 2)
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

extension ReportTable {
    /// Its rows, one object each.
    package var json: JSONValue {
        .array(
            rows.map { row in
                .members(zip(columns, row).map { .init($0.key, Self.json($1)) })
            })
    }

    private static func json(_ cell: Cell) -> JSONValue {
        switch cell {
        case .text(let text): .string(text)
        case .count(let value), .milliseconds(let value): .integer(value)
        case .rate(let rate): rate.value.map { .double($0) } ?? .null
        case .number(let value): value.isFinite ? .double(value) : .null
        case .none, .unnamed: .null
        }
    }

    /// What people read in a cell.
    package static func words(_ cell: Cell) -> String {
        switch cell {
        case .text(let text), .unnamed(let text): text
        case .count(let value): String(value)
        case .rate(let rate): rate.text
        case .milliseconds(let value): DurationWords.of(value)
        case .number(let value): value.isFinite ? String(value) : "n/a"
        case .none: "n/a"
        }
    }
}

/// A length of time with two digits of it that matter.
package enum DurationWords {
    package static func of(_ milliseconds: Int64) -> String {
        let magnitude = milliseconds.magnitude
        let sign = milliseconds < 0 ? "-" : ""
        return switch magnitude {
        case ..<1_000: "\(milliseconds) ms"
        case ..<60_000: "\(sign)\(magnitude / 1_000).\(magnitude % 1_000 / 100) s"
        case ..<3_600_000: "\(sign)\(magnitude / 60_000) min \(magnitude % 60_000 / 1_000) s"
        case ..<86_400_000: "\(sign)\(magnitude / 3_600_000) h \(magnitude % 3_600_000 / 60_000) min"
        default: "\(sign)\(magnitude / 86_400_000) d \(magnitude % 86_400_000 / 3_600_000) h"
        }
    }
}
