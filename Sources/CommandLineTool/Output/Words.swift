import CaptureLedger

/// Small pieces of human output.
enum Words {
    /// `2026-11-30 06:05:59 UTC`
    static func time(_ milliseconds: Int64) -> String {
        TimeText.utc(milliseconds)
    }

    /// `2026-11-30 06:05:59.123 UTC`, which `--as-of` takes as it is.
    static func preciseTime(_ milliseconds: Int64) -> String {
        TimeText.text(milliseconds).replacing("T", with: " ").replacing("Z", with: " UTC")
    }

    /// `3 s`, `12 min`, `5 h`, `2 d`
    static func duration(_ milliseconds: Int64) -> String {
        switch abs(milliseconds) {
        case ..<1_000: "\(milliseconds) ms"
        case ..<120_000: "\(milliseconds / 1_000) s"
        case ..<7_200_000: "\(milliseconds / 60_000) min"
        case ..<172_800_000: "\(milliseconds / 3_600_000) h"
        default: "\(milliseconds / 86_400_000) d"
        }
    }

    static func bytes(_ count: Int64) -> String {
        switch count {
        case ..<1_024: "\(count) bytes"
        case ..<1_048_576: "\(count / 1_024) KiB"
        case ..<1_073_741_824: tenths(count, 1_048_576, "MiB")
        default: tenths(count, 1_073_741_824, "GiB")
        }
    }

    private static func tenths(_ count: Int64, _ unit: Int64, _ name: String) -> String {
        let value = (count * 10 + unit / 2) / unit
        return "\(value / 10).\(value % 10) \(name)"
    }

    static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }

    /// `awaiting_verification` → `awaiting verification`
    static func plain(_ code: String) -> String { code.replacing("_", with: " ") }

    /// Columns as wide as their widest cell, two spaces between; the last is not padded.
    static func table(_ rows: [[String]], indent: String = "  ") -> String {
        var widths: [Int] = []
        for row in rows {
            for (index, cell) in row.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], cell.count)
            }
        }
        return rows.map { row in
            var line = indent
            for (index, cell) in row.enumerated() {
                line += index == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[index] - cell.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
