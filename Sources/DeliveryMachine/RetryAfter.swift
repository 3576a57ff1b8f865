/// Our own reader of `Retry-After`: libcurl's compares dates with the local clock and gives negative or zero times (measured
/// with 7.88.1).
package enum RetryAfter {
    package static let limitMilliseconds: Int64 = 24 * 3_600_000

    /// How long to wait, between 0 and 24 hours; nil without a header that can be read.
    ///
    /// A date is compared with the answer's own `Date`, so that a wrong clock on either side does no harm; without one, with
    /// the local time given.
    package static func milliseconds(_ headers: [Header], nowMilliseconds: Int64) -> Int64? {
        guard let text = headers.last(named: "retry-after") else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.isEmpty {
            guard let seconds = Int64(text), seconds <= limitMilliseconds / 1_000 else { return limitMilliseconds }
            return seconds * 1_000
        }
        let year = 1970 + Int(nowMilliseconds / 31_556_952_000)
        guard let then = HTTPDate.seconds(text, nearYear: year) else { return nil }
        let date = headers.last(named: "date").flatMap { HTTPDate.seconds($0, nearYear: year) }
        let reference = date ?? nowMilliseconds / 1_000
        return min(max(0, (then - reference) * 1_000), limitMilliseconds)
    }
}

extension [Header] {
    /// The last field of that name, any letter case, without blanks around its value.
    package func last(named name: String) -> String? {
        guard let field = last(where: { $0.name.lowercased() == name }) else { return nil }
        let blanks: Set<Character> = [" ", "\t"]
        var value = Substring(field.value)
        while let first = value.first, blanks.contains(first) { value.removeFirst() }
        while let last = value.last, blanks.contains(last) { value.removeLast() }
        return String(value)
    }
}
