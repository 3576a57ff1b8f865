public import FoundationEssentials

/// When a user who does not have the document at hand wants to be reminded (S25).
public enum ReminderPlanner {
    /// The moment of `hour` and `minute` on the calendar day that `day` falls on in `zone`. Where the clocks skip that minute, the first
    /// moment after the gap.
    ///
    /// - Parameters:
    ///   - day: any moment of the day.
    ///   - hour: 0 to 23; others are brought into that range.
    ///   - minute: 0 to 59; others are brought into that range.
    ///   - zone: where the user is.
    public static func customDate(day: Date, hour: Int, minute: Int, in zone: TimeZone) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let midnight = calendar.startOfDay(for: day)
        var wanted = DateComponents()
        wanted.hour = min(max(hour, 0), 23)
        wanted.minute = min(max(minute, 0), 59)
        if wanted.hour == 0, wanted.minute == 0 { return midnight }
        return calendar.nextDate(after: midnight, matching: wanted, matchingPolicy: .nextTime) ?? midnight
    }
}
