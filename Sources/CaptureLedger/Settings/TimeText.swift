/// A moment as people and programs write it (ISO 8601, RFC 3339): `2026-11-30T06:05:59Z`, `2026-11-30 06:05:59.123+03:00`,
/// `2026-11-30 06:05:59 UTC`. The zone is never guessed.
package enum TimeText {
    /// In milliseconds since 1970; nil for what is no moment, or one whose zone is not said.
    package static func milliseconds(_ text: String) -> Int64? {
        var rest = Array(text.utf8)[...]
        guard let year = number(&rest, 4), skip(&rest, "-"), let month = number(&rest, 2), skip(&rest, "-"),
            let day = number(&rest, 2), (1...12).contains(month), (1...days(in: month, of: year)).contains(day),
            skip(&rest, "T") || skip(&rest, "t") || skip(&rest, " "),
            let hour = number(&rest, 2), skip(&rest, ":"), let minute = number(&rest, 2), hour < 24, minute < 60
        else { return nil }
        var milliseconds: Int64 = 0
        if skip(&rest, ":") {
            // A leap second is the second after it.
            guard let second = number(&rest, 2), second <= 60 else { return nil }
            milliseconds = second * 1_000
            if skip(&rest, ".") || skip(&rest, ",") {
                guard let fraction = fraction(&rest) else { return nil }
                milliseconds += fraction
            }
        }
        guard let offset = zone(&rest), rest.isEmpty else { return nil }
        let minutes = (daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offset
        return minutes * 60_000 + milliseconds
    }

    /// It says everything but its zone.
    package static func lacksZone(_ text: String) -> Bool { milliseconds(text) == nil && milliseconds(text + "Z") != nil }

    /// `2026-11-30T06:05:59.123Z`, in the Gregorian calendar.
    package static func text(_ milliseconds: Int64) -> String {
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let (day, inDay) = rest < 0 ? (days - 1, rest + 86_400_000) : (days, rest)
        let date = date(day)
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let clock = [inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1_000 % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(clock).\(padded(inDay % 1_000, 3))Z"
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
    private static func zone(_ rest: inout ArraySlice<UInt8>) -> Int64? {
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

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days of the Gregorian calendar, counted in years that begin in March, so that a leap day is the last.
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    private static func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let civil = month < 10 ? month + 3 : month - 9
        return (yearOfEra + era * 400 + (civil <= 2 ? 1 : 0), civil, dayOfYear - (153 * month + 2) / 5 + 1)
    }
}
