/// A moment as people write it.
package enum MomentText {
    /// Milliseconds since 1970, a day (`2026-10-05`: when it begins), or a time of ISO 8601 (`2026-10-05T12:30`, with seconds,
    /// milliseconds, and `Z`, `+03:00` or nothing behind it).
    ///
    /// - Parameter zone: whose clock is meant where the text names none.
    /// - Returns: milliseconds since 1970; nil for anything else.
    package static func milliseconds(_ text: String, in zone: NamedTimeZone = .utc) -> Int64? {
        if let number = Int64(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return number }
        guard let day = CivilDay(text.prefix(10)) else { return nil }
        var rest = text.dropFirst(10)
        if rest.isEmpty { return zone.start(of: day) }
        guard rest.first == "T" || rest.first == " " || rest.first == "t" else { return nil }
        rest.removeFirst()
        guard let clock = clock(&rest), let offset = offset(rest) else { return nil }
        let local = day.number * 86_400 + clock.seconds
        return switch offset {
        case .local: zone.seconds(ofLocal: local) * 1_000 + clock.milliseconds
        case .seconds(let east): (local - east) * 1_000 + clock.milliseconds
        }
    }

    /// `hh:mm`, `hh:mm:ss` or `hh:mm:ss.sss`.
    private static func clock(_ rest: inout Substring) -> (seconds: Int64, milliseconds: Int64)? {
        let text = rest.prefix { $0.isNumber || $0 == ":" }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Digits.number($0, count: 2) }
        guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1], hour <= 23, minute <= 59 else {
            return nil
        }
        rest = rest.dropFirst(text.count)
        var seconds = Int64(hour) * 3_600 + Int64(minute) * 60
        guard parts.count == 3 else { return (seconds, 0) }
        guard let second = parts[2], second <= 59 else { return nil }
        seconds += Int64(second)
        guard rest.first == "." else { return (seconds, 0) }
        let digits = rest.dropFirst().prefix { $0.isNumber }
        guard (1...9).contains(digits.count), let fraction = Digits.number(digits, count: digits.count) else { return nil }
        rest = rest.dropFirst(1 + digits.count)
        var milliseconds = Int64(fraction)
        for _ in digits.count..<9 { milliseconds *= 10 }
        return (seconds, milliseconds / 1_000_000)
    }

    private enum Offset {
        case local
        case seconds(Int64)
    }

    private static func offset(_ text: Substring) -> Offset? {
        if text.isEmpty { return .local }
        if text == "Z" || text == "z" { return .seconds(0) }
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.count == 2 || digits.count == 4, text.dropFirst(3).first == ":" || !text.contains(":"),
            let hours = Digits.number(digits.prefix(2), count: 2), hours <= 23
        else { return nil }
        let minutes = digits.count == 4 ? Digits.number(digits.suffix(2), count: 2) : 0
        guard let minutes, minutes <= 59 else { return nil }
        return .seconds((sign == "-" ? -1 : 1) * (Int64(hours) * 3_600 + Int64(minutes) * 60))
    }
}
