import DeliveryMachine
import Testing

@Suite struct RetryAfterTests {
    static let now: Int64 = 784_111_777_000  // Sun, 06 Nov 1994 08:49:37 GMT

    private func milliseconds(_ value: String, date: String? = nil) -> Int64? {
        var headers = [Header("Retry-After", value)]
        if let date { headers.append(Header("Date", date)) }
        return RetryAfter.milliseconds(headers, nowMilliseconds: Self.now)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "sun, 06 nov 1994 08:49:37 gmt",
    ])
    func `the three forms of RFC 9110 are one moment`(text: String) {
        #expect(HTTPDate.seconds(text, nearYear: 1994) == 784_111_777)
    }

    @Test(arguments: [
        "", "soon", "Sun, 06 Nov 1994 08:49:37", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "-5", "1.5", "+3",
        "Sun, 06 Nov 94 08:49:37 GMT",
    ])
    func `what is no form of a date is no date`(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
        #expect(milliseconds(text) == nil)
    }

    @Test func `days are counted like a calendar counts them`() {
        #expect(HTTPDate.seconds("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
        #expect(HTTPDate.seconds("Tue, 29 Feb 2000 00:00:00 GMT") == 951_782_400)
        #expect(HTTPDate.seconds("Wed, 01 Mar 2000 00:00:00 GMT") == 951_868_800)
        #expect(HTTPDate.seconds("Sun, 28 Feb 2100 00:00:00 GMT") == 4_107_456_000)
        #expect(HTTPDate.seconds("Mon, 29 Feb 2100 00:00:00 GMT") == nil)
        #expect(HTTPDate.seconds("Wed, 31 Dec 1969 23:59:59 GMT") == -1)
    }

    @Test func `seconds are clamped to a day, huge numbers too`() {
        #expect(milliseconds("0") == 0)
        #expect(milliseconds("120") == 120_000)
        #expect(milliseconds(" 7 ") == 7_000)
        #expect(milliseconds("86401") == 86_400_000)
        #expect(milliseconds("99999999999999999999999999") == 86_400_000)
    }

    @Test func `a date is compared with the answer's own date, not with the local clock`() {
        let wrongClock = "Mon, 01 Jan 2035 00:00:00 GMT"
        #expect(milliseconds("Mon, 01 Jan 2035 00:01:30 GMT", date: wrongClock) == 90_000)
        #expect(milliseconds("Sun, 31 Dec 2034 23:00:00 GMT", date: wrongClock) == 0)
        #expect(milliseconds("Sun, 06 Nov 1994 08:50:37 GMT") == 60_000)
        #expect(milliseconds("Sun, 06 Nov 1994 08:50:37 GMT", date: "nonsense") == 60_000)
        #expect(milliseconds("Tue, 06 Nov 2035 08:50:37 GMT") == 86_400_000)
    }
}

extension RetryAfterTests {
    @Test func `of several fields the longest counts, and one that cannot be read does not hide the others`() {
        func milliseconds(_ values: [String]) -> Int64? {
            RetryAfter.milliseconds(values.map { Header("retry-after", $0) }, nowMilliseconds: Self.now)
        }
        #expect(milliseconds(["5", "60", "10"]) == 60_000)
        #expect(milliseconds(["60", "soon"]) == 60_000)
        #expect(milliseconds(["soon", "-1"]) == nil)
        #expect(milliseconds(["5, 60"]) == nil)
        #expect(milliseconds([]) == nil)
        #expect(milliseconds(["0", "Sun, 06 Nov 1994 08:00:00 GMT"]) == 0)
    }
}
