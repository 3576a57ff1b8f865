/// The three forms of RFC 9110 §5.6.7, read without a calendar or a locale.
package enum HTTPDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Seconds since 1970; nil for anything that is not exactly one of the forms.
    ///
    /// - Parameter nearYear: settles the century of the two-digit year in the obsolete RFC 850 form: a date more than 50
    ///   years ahead of it belongs to the past.
    package static func seconds(_ text: some StringProtocol, nearYear: Int = 2026) -> Int64? {
        let words = text.lowercased().split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        if words.count == 6, words[0].hasSuffix(","), words[5] == "gmt" {
            return combine(year: number(words[3], digits: 4), month: words[2], day: number(words[1], digits: 2), time: words[4])
        }
        if words.count == 4, words[0].hasSuffix(","), words[3] == "gmt" {
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let short = number(parts[2], digits: 2) else { return nil }
            var year = nearYear / 100 * 100 + short
            if year > nearYear + 50 { year -= 100 }
            return combine(year: year, month: parts[1], day: number(parts[0], digits: 2), time: words[2])
        }
        if words.count == 5, !words[0].hasSuffix(",") {
            let day = words[2].utf8.count == 1 ? number(words[2], digits: 1) : number(words[2], digits: 2)
            return combine(year: number(words[4], digits: 4), month: words[1], day: day, time: words[3])
        }
        return nil
    }

    private static func number(_ text: some StringProtocol, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func combine(year: Int?, month: String, day: Int?, time: String) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let year, let day, let month = months.firstIndex(of: month).map({ $0 + 1 }), clock.count == 3,
            let hour = number(clock[0], digits: 2), let minute = number(clock[1], digits: 2),
            let second = number(clock[2], digits: 2), hour < 24, minute < 60, second <= 60,
            (1...daysIn(month: month, year: year)).contains(day)
        else { return nil }
        return days(year: year, month: month, day: day) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    private static func daysIn(month: Int, year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar: whole years from March, so that the leap day is last.
    private static func days(year: Int, month: Int, day: Int) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return Int64(365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear) - 719_468
    }
}
