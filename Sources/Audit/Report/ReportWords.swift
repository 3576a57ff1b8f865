import EventCoding
import SessionDomain

/// How the report says things.
enum ReportWords {
    /// `2026-11-30 06:05:59.123 UTC`
    static func time(_ milliseconds: Int64) -> String { "\(day(milliseconds)) \(clock(milliseconds)) UTC" }

    /// `2026-11-30`
    static func day(_ milliseconds: Int64) -> String { CivilDay(number: split(milliseconds).day).text }

    /// `06:05:59.123`
    static func clock(_ milliseconds: Int64) -> String {
        let inDay = split(milliseconds).rest
        let clock = [inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1000 % 60].map { Digits.text($0, count: 2) }
        return clock.joined(separator: ":") + "." + Digits.text(inDay % 1000, count: 3)
    }

    private static func split(_ milliseconds: Int64) -> (day: Int64, rest: Int) {
        let (day, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        return rest < 0 ? (day - 1, Int(rest) + 86_400_000) : (day, Int(rest))
    }

    /// Time between two steps: `40 ms`, `1.4 s`, `2 min 05 s`, `3 h 10 min`, `2 d 4 h`.
    static func between(_ milliseconds: Int64) -> String {
        let tenths = (milliseconds + 50) / 100
        switch milliseconds {
        case ..<1000: return "\(milliseconds) ms"
        case ..<60_000: return "\(tenths / 10).\(tenths % 10) s"
        case ..<3_600_000: return "\(milliseconds / 60_000) min \(Digits.text(Int(milliseconds / 1000 % 60), count: 2)) s"
        case ..<86_400_000: return "\(milliseconds / 3_600_000) h \(Digits.text(Int(milliseconds / 60_000 % 60), count: 2)) min"
        default: return "\(milliseconds / 86_400_000) d \(milliseconds / 3_600_000 % 24) h"
        }
    }

    static func bytes(_ count: Int64) -> String {
        switch count {
        case ..<1024: "\(count) bytes"
        case ..<1_048_576: "\(count / 1024) KiB"
        default: "\((count * 10 / 1_048_576) / 10).\((count * 10 / 1_048_576) % 10) MiB"
        }
    }

    /// `awaiting_verification` → `awaiting verification`
    static func plain(_ code: String) -> String { String(code.map { $0 == "_" ? " " : $0 }) }

    static func sentence(_ code: String) -> String {
        let words = plain(code)
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// At most three decimals.
    static func number(_ value: Double) -> String {
        guard value.magnitude < 1e12 else { return "\(value)" }
        let thousandths = Int64((value.magnitude * 1000).rounded())
        var digits = "\(thousandths % 1000 + 1000)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(value < 0 && thousandths > 0 ? "-" : "")\(thousandths / 1000)\(digits.isEmpty ? "" : ".\(digits)")"
    }

    static func limit(_ finding: JSONValue) -> String {
        guard let threshold = finding["threshold"]?.asDouble else { return "—" }
        let sign = ["at_least": "≥", "at_most": "≤", "below": "<"][finding["direction"]?.asString ?? ""] ?? ""
        return "\(sign) \(number(threshold))"
    }

    /// What happened, in a few words.
    static func summary(_ record: EventRecord) -> String {
        let type = record.typeName
        guard let piece = record.piece?.rawValue else { return sentence(type) }
        if type.hasPrefix(piece) { return sentence(type) }
        return type.hasPrefix("piece_")
            ? "\(sentence(piece)) \(plain(String(type.dropFirst(6))))" : "\(sentence(piece)): \(plain(type))"
    }

    /// What else the event says, a few words each.
    static func details(_ record: EventRecord, _ half: PrivateHalf) -> [String] {
        var words: [String] = []
        if let source = record.sourceName { words.append("from \(source == "camera" ? "the camera" : "a \(source)")") }
        if let outcome = record.outcomeName, outcome != "verified", outcome != "rejected" { words.append(plain(outcome)) }
        if let reason = record.reason { words.append(plain(reason)) }
        if let detail = record.facts["detail"]?.asString { words.append(plain(detail)) }
        if let destination = record.facts["destination"]?.asString { words.append("destination \(destination)") }
        if let score = record.facts["score"]?.asDouble { words.append("score \(number(score))") }
        if record.type == .pieceCaptured, let type = record.facts["type"]?.asString,
            let bytes = record.facts["bytes"]?.asInteger
        {
            words.append("\(type), \(bytes < 1024 ? "\(bytes) bytes" : self.bytes(bytes))")
        }
        if record.type == .guidanceObserved, let count = record.facts["observations"]?.asArray?.count {
            words.append("\(count) observation\(count == 1 ? "" : "s")")
        }
        if record.facts["late"]?.asBool == true { words.append("late: it changed nothing") }
        for name in ["reason", "staff_reason"] {
            if let text = half.document?[name]?.asString {
                words.append("\(name == "reason" ? "told the user" : "told staff"): “\(text)”")
            }
        }
        if case .destroyed = half { words.append("the private half is erased") }
        if case .unreadable = half { words.append("the private half does not open") }
        return words
    }
}
