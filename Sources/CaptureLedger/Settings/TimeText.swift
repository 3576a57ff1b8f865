import SessionDomain

/// A moment as people and programs write it (ISO 8601, RFC 3339): `2026-11-30T06:05:59Z`, `2026-11-30 06:05:59.123+03:00`,
/// `2026-11-30 06:05:59 UTC`. The zone is never guessed.
package enum TimeText {
    /// In milliseconds since 1970; nil for what is no moment, or one whose zone is not said.
    ///
    /// - Parameter zone: whose clock is meant where the text names none; nil: it has to.
    package static func milliseconds(_ text: String, in zone: NamedTimeZone? = nil) -> Int64? {
        guard let day = CivilDay(text.utf8.count > 10 ? String(decoding: text.utf8.prefix(10), as: UTF8.self) : "") else {
            return nil
        }
        var rest = Array(text.utf8)[10...]
        guard skip(&rest, "T") || skip(&rest, "t") || skip(&rest, " "), let hour = number(&rest, 2), skip(&rest, ":"),
            let minute = number(&rest, 2), hour < 24, minute < 60
        else { return nil }
        var seconds = day.number * 86_400 + hour * 3_600 + minute * 60
        var milliseconds: Int64 = 0
        if skip(&rest, ":") {
            // A leap second is the second after it.
            guard let second = number(&rest, 2), second <= 60 else { return nil }
            seconds += second
            if skip(&rest, ".") || skip(&rest, ",") {
                guard let fraction = fraction(&rest) else { return nil }
                milliseconds = fraction
            }
        }
        if rest.isEmpty {
            guard let zone else { return nil }
            return zone.seconds(ofLocal: seconds) * 1_000 + milliseconds
        }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        return (seconds - offset * 60) * 1_000 + milliseconds
    }

    /// It says everything but its zone.
    package static func lacksZone(_ text: String) -> Bool { milliseconds(text) == nil && milliseconds(text + "Z") != nil }

    /// `2026-11-30T06:05:59.123Z`, in the Gregorian calendar.
    package static func text(_ milliseconds: Int64) -> String {
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let (day, inDay) = rest < 0 ? (days - 1, Int(rest) + 86_400_000) : (days, Int(rest))
        let clock = [inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1_000 % 60].map { Digits.text($0, count: 2) }
        return "\(CivilDay(number: day).text)T\(clock.joined(separator: ":")).\(Digits.text(inDay % 1_000, count: 3))Z"
    }

    private static func skip(_ rest: inout ArraySlice<UInt8>, _ character: Character) -> Bool {
        guard rest.first == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest.removeFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Up to nine digits behind the point; what is finer than a millisecond is left out.
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...9).contains(digits.count) else { return nil }
        rest.removeFirst(digits.count)
        let three = Array(digits) + [0x30, 0x30]
        return three[..<3].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// East of Greenwich, in minutes.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        if skip(&rest, " ") {
            guard rest.elementsEqual("UTC".utf8) else { return nil }
            rest.removeAll()
            return 0
        }
        if skip(&rest, "Z") || skip(&rest, "z") { return 0 }
        let sign: Int64 = rest.first == UInt8(ascii: "-") ? -1 : 1
        guard skip(&rest, "+") || skip(&rest, "-"), let hour = number(&rest, 2), hour < 24 else { return nil }
        if rest.isEmpty { return sign * hour * 60 }
        _ = skip(&rest, ":")
        guard let minute = number(&rest, 2), minute < 60 else { return nil }
        return sign * (hour * 60 + minute)
    }
}
