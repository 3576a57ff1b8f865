import CaptureLedger
import FoundationEssentials
import Testing

@Suite struct ReminderTests {
    @Test(arguments: [-8 * 3600, 0, 3 * 3600, 5 * 3600 + 1800])
    func `S25 a reminder falls on the wanted minute of the day as the zone counts it`(offset: Int) throws {
        let zone = try #require(TimeZone(secondsFromGMT: offset))
        // 2026-11-30 23:30 UTC
        let day = Date(timeIntervalSince1970: 1_796_081_400)
        let date = ReminderPlanner.customDate(day: day, hour: 9, minute: 45, in: zone)
        let local = Int(date.timeIntervalSince1970) + offset
        #expect(local % 86_400 == 9 * 3600 + 45 * 60)
        #expect(local / 86_400 == (1_796_081_400 + offset) / 86_400)
    }

    @Test func `S25 midnight is the day's own, and what is out of range is brought into it`() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 0))
        let day = Date(timeIntervalSince1970: 1_796_081_400)
        #expect(ReminderPlanner.customDate(day: day, hour: 0, minute: 0, in: zone).timeIntervalSince1970 == 1_795_996_800)
        #expect(
            ReminderPlanner.customDate(day: day, hour: 99, minute: 99, in: zone)
                == ReminderPlanner.customDate(day: day, hour: 23, minute: 59, in: zone))
    }
}
