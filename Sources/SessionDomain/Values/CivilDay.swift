/// A day of the Gregorian calendar, without a zone.
package struct CivilDay: Hashable, Sendable, Comparable {
    package let year: Int
    package let month: Int
    package let day: Int

    /// nil for a day that does not exist, such as 29 February of a common year.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...Self.length(ofMonth: month, year)).contains(day) else {
            return nil
        }
        self.year = year
        self.month = month
        self.day = day
    }

    /// `2026-10-05`; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = Digits.number(parts[0], count: 4), let month = Digits.number(parts[1], count: 2),
            let day = Digits.number(parts[2], count: 2)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// - Parameter number: days since 1 January 1970. The algorithm is that of Howard Hinnant, "chrono-compatible low-level date
    ///   algorithms": years that begin in March, in eras of 400.
    package init(number: Int64) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
        month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
        year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    }

    /// Days since 1 January 1970.
    package var number: Int64 {
        let year = Int64(month <= 2 ? self.year - 1 : self.year)
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let marchMonth = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * marchMonth + 2) / 5 + Int64(day) - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    package var text: String { "\(Digits.text(year, count: 4))-\(Digits.text(month, count: 2))-\(Digits.text(day, count: 2))" }

    package var next: CivilDay { CivilDay(number: number + 1) }

    package static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }

    package static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    package static func length(ofMonth month: Int, _ year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// A month of the Gregorian calendar, without a zone.
package struct CivilMonth: Hashable, Sendable {
    package let first: CivilDay

    /// `2026-10`; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard let first = CivilDay(String(text) + "-01") else { return nil }
        self.first = first
    }

    /// The first day of the month behind it.
    package var end: CivilDay {
        CivilDay(number: first.number + Int64(CivilDay.length(ofMonth: first.month, first.year)))
    }

    package var text: String { String(first.text.prefix(7)) }
}

/// Numbers of a fixed width.
package enum Digits {
    /// nil unless the text is exactly so many digits.
    package static func number(_ text: some StringProtocol, count: Int) -> Int? {
        guard text.utf8.count == count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// With zeros in front of it where it is shorter.
    package static func text(_ number: Int, count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
