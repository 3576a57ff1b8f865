import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

/// Zones against Python's zoneinfo, which reads the same files with code of its own.
@Suite struct TimeZoneTests {
    private static let names = [
        "Europe/Istanbul", "Europe/Berlin", "America/New_York", "America/Sao_Paulo", "America/St_Johns", "America/Havana",
        "Africa/Cairo", "Africa/Casablanca", "Asia/Kolkata", "Asia/Tehran", "Asia/Gaza", "Australia/Lord_Howe", "Pacific/Apia",
        "Pacific/Chatham", "Europe/Dublin", "America/Nuuk", "Antarctica/Troll", "Asia/Kathmandu", "EST5EDT", "Etc/GMT+12",
        "UTC",
    ]

    private static let program = """
        import datetime, random, sys, zoneinfo
        utc = datetime.timezone.utc
        random.seed(int(sys.argv[1]))
        for name in sys.argv[2:]:
            zone = zoneinfo.ZoneInfo(name)
            for _ in range(150):
                at = random.randrange(0, 4133980800)
                offset = datetime.datetime.fromtimestamp(at, utc).astimezone(zone).utcoffset()
                print(name, at, int(offset.total_seconds()), "offset")
            for _ in range(60):
                day = datetime.date(1990, 1, 1) + datetime.timedelta(random.randrange(0, 36500))
                midnight = datetime.datetime(day.year, day.month, day.day, tzinfo=zone)
                at = midnight.timestamp()
                if datetime.datetime.fromtimestamp(at, utc).astimezone(zone).replace(tzinfo=None) == midnight.replace(tzinfo=None):
                    print(name, (day - datetime.date(1970, 1, 1)).days, int(at), "day")
        """

    @Test func `offsets and the beginnings of days are those that Python knows`() throws {
        let seed = SeededRandom.seed(for: "zones") % 1_000_000
        let said = try ChildProcess.run(
            path: "/usr/bin/env", arguments: ["env", "python3", "-c", Self.program, String(seed)] + Self.names,
            limitMilliseconds: 60_000, outputLimit: 4 << 20)
        #expect(said.end == .exited(0))
        var zones: [String: NamedTimeZone] = [:]
        var compared = 0
        for line in String(decoding: said.output, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            let name = String(words[0])
            if zones[name] == nil { zones[name] = try NamedTimeZone.named(name) }
            let zone = try #require(zones[name])
            let (first, second) = (try #require(Int64(words[1])), try #require(Int64(words[2])))
            if words[3] == "offset" {
                #expect(zone.offset(atSeconds: first) == Int(second), "\(line)")
            } else {
                #expect(zone.start(of: CivilDay(number: first)) == second * 1_000, "\(line)")
            }
            compared += 1
        }
        #expect(compared > 4_000)
    }

    @Test func `every zone of this system can be read, and none that counts leap seconds`() throws {
        let folder = try FileDescriptor(opening: "/usr/share/zoneinfo/Europe", .folder)
        for name in try folder.names() { #expect((try NamedTimeZone.named("Europe/\(name)")).name == "Europe/\(name)") }
        #expect(throws: LedgerError.self) { try NamedTimeZone.named("right/Europe/Berlin") }
    }

    @Test(arguments: [
        ("Europe/Istambul", "Europe/Istanbul"), ("europe/istanbul", "Europe/Istanbul"), ("Kolkata", "Asia/Kolkata"),
        ("UCT+3", ""), ("../../etc/passwd", ""), ("", ""), ("/etc/localtime", ""),
    ])
    func `a zone that is not there is an error with the name that was meant`(name: String, meant: String) throws {
        let error = #expect(throws: LedgerError.self) { try NamedTimeZone.named(name) }
        #expect(error?.code.rawValue == "unknown_time_zone")
        if !meant.isEmpty { #expect(error?.remedy == "Did you mean \(meant)?") }
    }

    @Test func `a day that clocks leave out is empty, and a day that begins twice begins once`() throws {
        // Samoa went without 30 December 2011
        let apia = try NamedTimeZone.named("Pacific/Apia")
        let missing = try #require(CivilDay("2011-12-30"))
        #expect(apia.start(of: missing) == apia.start(of: missing.next))
        // Havana puts its clocks back from one to midnight
        let havana = try NamedTimeZone.named("America/Havana")
        let twice = try #require(CivilDay("2026-11-01"))
        #expect(havana.start(of: twice.next) - havana.start(of: twice) == 25 * 3_600_000)
        // days of a zone follow each other without a gap
        for name in Self.names {
            let zone = try NamedTimeZone.named(name)
            var day = try #require(CivilDay("2026-01-01"))
            while day.year < 2028 {
                let (start, end) = (zone.start(of: day), zone.start(of: day.next))
                #expect(start < end && zone.day(at: start) == day && zone.day(at: end - 1) == day, "\(name) \(day.text)")
                day = day.next
            }
        }
    }

    @Test func `days of the calendar follow each other, leap days among them`() throws {
        var day = try #require(CivilDay("1899-12-31"))
        var number = day.number
        while day.year < 2101 {
            number += 1
            day = day.next
            #expect(day.number == number && CivilDay(day.text) == day)
        }
        #expect(CivilDay("1970-01-01")?.number == 0)
        for text in ["2026-02-29", "2100-02-29", "2026-13-01", "2026-1-1", "2026-00-10", "20261001", "", "0000-01-01"] {
            #expect(CivilDay(text) == nil, "\(text)")
        }
        #expect(CivilDay("2028-02-29") != nil && CivilDay("2000-02-29") != nil)
        #expect(CivilMonth("2028-02")?.end.text == "2028-03-01" && CivilMonth("2026-12")?.end.text == "2027-01-01")
    }

    @Test(arguments: [
        ("1790000000000", 1_790_000_000_000), ("2026-10-05", 1_791_158_400_000), ("2026-10-05T12:30", 1_791_203_400_000),
        ("2026-10-05T12:30Z", 1_791_203_400_000), ("2026-10-05T12:30:15.250Z", 1_791_203_415_250),
        ("2026-10-05T12:30+03:00", 1_791_192_600_000), ("2026-10-05 12:30-0330", 1_791_216_000_000), ("0", 0),
    ])
    func `times are read as they are written`(text: String, milliseconds: Int64) {
        #expect(MomentText.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        "yesterday", "2026-10-05T", "2026-10-05T24:00", "2026-10-05T12:60", "2026-10-05T12", "2026-10-05T12:30+3", "-5", "+5",
        "2026-10-05T12:30:61", "2026-02-29", "2026-10-05T12:30+03:00:00", "2026-10-05T12:30 Z",
    ])
    func `what is no time is none`(text: String) { #expect(MomentText.milliseconds(text) == nil) }

    @Test func `a local time is that of the zone, also where clocks change`() throws {
        let berlin = try NamedTimeZone.named("Europe/Berlin")
        #expect(MomentText.milliseconds("2026-10-05T02:00", in: berlin) == MomentText.milliseconds("2026-10-05T00:00Z"))
        // left out on 29 March 2026, when two o'clock is three
        #expect(MomentText.milliseconds("2026-03-29T02:30", in: berlin) == MomentText.milliseconds("2026-03-29T01:00Z"))
        // twice on 25 October 2026: the first of the two
        #expect(MomentText.milliseconds("2026-10-25T02:30", in: berlin) == MomentText.milliseconds("2026-10-25T00:30Z"))
    }
}
