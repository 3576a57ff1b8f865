/// A bucket of the histograms of times: less than a sixteenth of its lower bound wide, one millisecond where that is less.
package struct TimeBucket: Hashable, Sendable {
    package let atLeastMilliseconds: Int64
    package let belowMilliseconds: Int64

    /// The bucket of a time; one that runs backwards counts as none.
    package init(_ milliseconds: Int64) {
        let value = max(0, milliseconds)
        let bits = Int64.bitWidth - value.leadingZeroBitCount
        let width: Int64 = bits > 5 ? 1 << (bits - 5) : 1
        atLeastMilliseconds = value & ~(width - 1)
        let (end, overflows) = atLeastMilliseconds.addingReportingOverflow(width)
        belowMilliseconds = overflows ? .max : end
    }
}

/// The day in UTC of a time.
enum Day {
    static func number(_ milliseconds: Int64) -> Int64 {
        let (day, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        return rest < 0 ? day - 1 : day
    }

    /// `2026-11-30`; days since 1970 to the proleptic Gregorian calendar.
    static func text(_ number: Int64) -> String {
        // counted from 0000-03-01, so that the leap day is a year's last
        let days = number + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let (day, month) = (dayOfYear - (153 * shifted + 2) / 5 + 1, shifted < 10 ? shifted + 3 : shifted - 9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
