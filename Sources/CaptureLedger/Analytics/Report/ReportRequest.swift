package import SessionDomain

/// What a report is about: sessions that began on certain days, in UTC.
package struct ReportRequest: Sendable, Hashable {
    /// How funnel and outcomes are grouped.
    package enum Grouping: Int64, Sendable, CaseIterable {
        case overall = 0
        case context = 1
        case day = 2
    }

    /// nil: from the first session on.
    package let firstDay: CivilDay?
    /// The day behind the last; nil: until the newest session.
    package let endDay: CivilDay?
    package let grouping: Grouping

    /// - Parameters:
    ///   - since: milliseconds since 1970; the day in which it lies is the first.
    ///   - until: the day in which it lies is the last, unless that day begins with it: then the one before is.
    package init(sinceMilliseconds since: Int64?, untilMilliseconds until: Int64?, grouping: Grouping = .overall) {
        firstDay = since.map { NamedTimeZone.utc.day(at: $0) }
        endDay = until.map { until in
            let day = NamedTimeZone.utc.day(at: until)
            return NamedTimeZone.utc.start(of: day) == until ? day : day.next
        }
        self.grouping = grouping
    }

    /// The moments at which the days begin and end.
    package var firstMilliseconds: Int64 { firstDay.map { NamedTimeZone.utc.start(of: $0) } ?? .min }
    package var endMilliseconds: Int64 { endDay.map { NamedTimeZone.utc.start(of: $0) } ?? .max }

    /// `sessions that began from 2026-10-01 to 2026-10-31 (UTC)`
    package var words: String {
        let last = endDay.map { CivilDay(number: $0.number - 1).text }
        return switch (firstDay?.text, last) {
        case (nil, nil): "all sessions"
        case (let first?, nil): "sessions that began on \(first) or later (UTC)"
        case (nil, let last?): "sessions that began on \(last) or earlier (UTC)"
        case (let first?, let last?) where first == last: "sessions that began on \(first) (UTC)"
        case (let first?, let last?): "sessions that began from \(first) to \(last) (UTC)"
        }
    }
}
