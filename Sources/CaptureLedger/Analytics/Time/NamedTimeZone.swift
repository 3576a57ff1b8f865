package import SessionDomain

/// A zone of the system's own data, such as `Europe/Istanbul`: how local clocks stood and will stand.
package struct NamedTimeZone: Hashable, Sendable {
    package let name: String
    /// Seconds since 1970 from which the offset of the same index holds, rising.
    let transitions: [Int64]
    let offsets: [Int]
    /// Before the first of them.
    let firstOffset: Int
    /// After the last of them; nil: the last offset stays.
    let rule: TimeZoneRule?

    package static let utc = NamedTimeZone(name: "UTC", transitions: [], offsets: [], firstOffset: 0, rule: nil)

    /// Seconds east of Greenwich.
    package func offset(atSeconds time: Int64) -> Int {
        guard let last = transitions.last else { return rule?.offset(atSeconds: time) ?? firstOffset }
        if time >= last, let rule { return rule.offset(atSeconds: time) }
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? firstOffset : offsets[low - 1]
    }

    /// The first moment at which the local clock shows that time or a later one: a time that a change of clocks leaves out begins
    /// with the change, one that comes twice is the first of the two.
    ///
    /// - Parameter local: seconds since 1970 as the local clock counts them.
    package func seconds(ofLocal local: Int64) -> Int64 {
        let before = offset(atSeconds: local - 86_400 - 50_400)
        let after = offset(atSeconds: local + 86_400 + 43_200)
        let early = local - Int64(max(before, after))
        if early + Int64(offset(atSeconds: early)) == local { return early }
        let late = local - Int64(min(before, after))
        if late + Int64(offset(atSeconds: late)) == local { return late }
        // In the gap, or between two changes: the clock shows less at `low` and no less at `high`.
        var low = local - 86_400 - 50_400
        var high = late
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if middle + Int64(offset(atSeconds: middle)) < local { low = middle } else { high = middle }
        }
        return high
    }

    /// When that day begins here, in milliseconds since 1970.
    package func start(of day: CivilDay) -> Int64 { seconds(ofLocal: day.number * 86_400) * 1_000 }

    /// The day in which a moment lies, by the borders that ``start(of:)`` gives.
    package func day(at milliseconds: Int64) -> CivilDay {
        let seconds = milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000
        let local = seconds + Int64(offset(atSeconds: seconds))
        var day = CivilDay(number: local >= 0 ? local / 86_400 : (local - 86_399) / 86_400)
        // Where clocks go back over midnight, a day that has begun does not end again.
        while start(of: day.next) <= milliseconds { day = day.next }
        while start(of: day) > milliseconds { day = CivilDay(number: day.number - 1) }
        return day
    }
}
