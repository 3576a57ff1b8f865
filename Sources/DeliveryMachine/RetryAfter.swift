/// Our own reader of `Retry-After`: libcurl's compares dates with the local clock and gives negative or zero times (measured
/// with 7.88.1).
package enum RetryAfter {
    package static let limitMilliseconds: Int64 = 24 * 3_600_000

    /// How long to wait, between 0 and 24 hours; nil without a field that can be read. Of several the longest counts.
    ///
    /// A date is compared with the answer's own `Date`, so that a wrong clock on either side does no harm; without one, with
    /// the local time given.
    package static func milliseconds(_ headers: [Header], nowMilliseconds: Int64) -> Int64? {
        let year = 1970 + Int(nowMilliseconds / 31_556_952_000)
        let date = headers.last(named: "date").flatMap { HTTPDate.seconds($0, nearYear: year) }
        return headers.filter { $0.name.lowercased() == "retry-after" }
            .compactMap { milliseconds($0.value.trimmingBlanks, year: year, reference: date ?? nowMilliseconds / 1_000) }
            .max()
    }

    private static func milliseconds(_ text: some StringProtocol, year: Int, reference: Int64) -> Int64? {
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.isEmpty {
            guard let seconds = Int64(text), seconds <= limitMilliseconds / 1_000 else { return limitMilliseconds }
            return seconds * 1_000
        }
        guard let then = HTTPDate.seconds(text, nearYear: year) else { return nil }
        return min(max(0, (then - reference) * 1_000), limitMilliseconds)
    }
}
