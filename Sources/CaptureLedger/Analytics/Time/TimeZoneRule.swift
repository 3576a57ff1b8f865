import SessionDomain

/// What a zone does after its last recorded change: the TZ string in the footer of its file (RFC 8536 §3.3, POSIX.1-2017 §8.3).
struct TimeZoneRule: Hashable, Sendable {
    /// When the clock changes in a year.
    struct Change: Hashable, Sendable {
        enum Day: Hashable, Sendable {
            /// 1 to 365; 29 February is never counted.
            case withoutLeapDay(Int)
            /// 0 to 365, 29 February counted.
            case withLeapDay(Int)
            /// The `week`-th `weekday` of `month`; week 5 is the last. Sunday is 0.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        let day: Day
        /// On the local clock that is changed; from -167 to 167 hours.
        let seconds: Int64

        /// Seconds since 1970 on the local clock before the change.
        func localSeconds(in year: Int) -> Int64 {
            let newYear = Self.dayNumber(year, 1, 1)
            let number: Int64 =
                switch day {
                case .withoutLeapDay(let day): newYear + Int64(day - 1) + (CivilDay.isLeap(year) && day >= 60 ? 1 : 0)
                case .withLeapDay(let day): newYear + Int64(day)
                case .weekday(let month, let week, let weekday): Self.day(year, month, week, weekday)
                }
            return number * 86_400 + seconds
        }

        private static func day(_ year: Int, _ month: Int, _ week: Int, _ weekday: Int) -> Int64 {
            let first = dayNumber(year, month, 1)
            // 1 January 1970 was a Thursday
            let firstWeekday = ((first + 4) % 7 + 7) % 7
            var day = first + (Int64(weekday) - firstWeekday + 7) % 7 + Int64(week - 1) * 7
            if day >= first + Int64(CivilDay.length(ofMonth: month, year)) { day -= 7 }
            return day
        }

        private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
            CivilDay(year: min(max(year, 1), 9999), month: month, day: day)?.number ?? 0
        }
    }

    /// East of Greenwich.
    let standardOffset: Int
    let summer: (offset: Int, begins: Change, ends: Change)?

    static func == (left: Self, right: Self) -> Bool {
        left.standardOffset == right.standardOffset && left.summer?.offset == right.summer?.offset
            && left.summer?.begins == right.summer?.begins && left.summer?.ends == right.summer?.ends
    }

    func hash(into hasher: inout Hasher) { hasher.combine(standardOffset) }

    /// Seconds east of Greenwich at that time.
    func offset(atSeconds time: Int64) -> Int {
        guard let summer else { return standardOffset }
        let local = time + Int64(standardOffset)
        let year = CivilDay(number: local >= 0 ? local / 86_400 : (local - 86_399) / 86_400).year
        let begins = summer.begins.localSeconds(in: year) - Int64(standardOffset)
        let ends = summer.ends.localSeconds(in: year) - Int64(summer.offset)
        let isSummer = begins < ends ? (begins..<ends).contains(time) : !(ends..<begins).contains(time)
        return isSummer ? summer.offset : standardOffset
    }
}

extension TimeZoneRule {
    /// nil for text that is no such rule.
    init?(_ text: String) {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard reader.name(), let west = reader.time(limit: 25) else { return nil }
        standardOffset = -Int(west)
        guard !reader.rest.isEmpty else {
            summer = nil
            return
        }
        guard reader.name() else { return nil }
        var offset = standardOffset + 3_600
        if reader.rest.first != UInt8(ascii: ",") {
            guard let west = reader.time(limit: 25) else { return nil }
            offset = -Int(west)
        }
        guard reader.take(","), let begins = reader.change(), reader.take(","), let ends = reader.change(), reader.rest.isEmpty
        else { return nil }
        summer = (offset, begins, ends)
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ character: Character) -> Bool {
            guard let unit = character.asciiValue, rest.first == unit else { return false }
            rest.removeFirst()
            return true
        }

        /// Three letters or more, or anything between angle brackets.
        mutating func name() -> Bool {
            if take("<") {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
                rest = rest[(end + 1)...]
                return true
            }
            let letters = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
            rest = rest.dropFirst(letters.count)
            return letters.count >= 3
        }

        mutating func number(limit: Int) -> Int? {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard (1...3).contains(digits.count), let value = Int(String(decoding: digits, as: UTF8.self)), value <= limit
            else { return nil }
            rest = rest.dropFirst(digits.count)
            return value
        }

        /// `[+-]hh[:mm[:ss]]` in seconds.
        mutating func time(limit: Int) -> Int64? {
            let sign: Int64 = take("-") ? -1 : 1
            if sign == 1 { _ = take("+") }
            guard let hours = number(limit: limit) else { return nil }
            var seconds = Int64(hours) * 3_600
            for unit: Int64 in [60, 1] {
                guard take(":") else { break }
                guard let value = number(limit: 59) else { return nil }
                seconds += Int64(value) * unit
            }
            return sign * seconds
        }

        mutating func change() -> Change? {
            let day: Change.Day
            if take("J") {
                guard let number = number(limit: 365), number >= 1 else { return nil }
                day = .withoutLeapDay(number)
            } else if take("M") {
                guard let month = number(limit: 12), month >= 1, take("."), let week = number(limit: 5), week >= 1, take("."),
                    let weekday = number(limit: 6)
                else { return nil }
                day = .weekday(month: month, week: week, weekday: weekday)
            } else {
                guard let number = number(limit: 365) else { return nil }
                day = .withLeapDay(number)
            }
            guard take("/") else { return Change(day: day, seconds: 7_200) }
            return time(limit: 167).map { Change(day: day, seconds: $0) }
        }
    }
}
