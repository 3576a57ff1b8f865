package import SessionDomain

/// Everything that a report says, true for one position of the log.
package struct AnalyticsReport: Sendable, Hashable {
    /// How many sessions began on a day and what became of them.
    package struct Day: Sendable, Hashable {
        package let day: String
        package let started: Int64
        package let completed: Int64
    }

    package let request: ReportRequest
    /// What lies behind it is not in the figures.
    package let position: Int64
    /// When the event at that position was recorded; nil in an empty ledger.
    package let recordedAtMilliseconds: Int64?
    /// In the order of the page.
    package internal(set) var tables: [ReportTable] = []
    package internal(set) var days: [Day] = []

    package func table(_ key: String) -> ReportTable? { tables.first { $0.key == key } }

    /// The funnel, and every other table under its key; what each counts under `definitions`.
    package var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("position", .integer(position)),
            .init("recorded_at_ms", recordedAtMilliseconds.map { .integer($0) } ?? .null),
            .init("first_day", request.firstDay.map { .string($0.text) } ?? .null),
            .init("last_day", request.endDay.map { .string(CivilDay(number: $0.number - 1).text) } ?? .null),
            .init("definitions", .members(tables.map { .init($0.key, .string($0.definition)) })),
            .init(
                "days",
                .array(
                    days.map {
                        .members([
                            .init("day", .string($0.day)), .init("started", .integer($0.started)),
                            .init("completed", .integer($0.completed)),
                        ])
                    })),
        ]
        members += tables.map { .init($0.key, $0.json) }
        return .members(members)
    }

    /// One record a number; see ``ReportTable/csv``.
    package var csv: String {
        CSVText.record(ReportTable.csvHeader)
            + CSVText.record(["report", "", "position", String(position), ""])
            + CSVText.record(["report", "", "recorded_at_ms", recordedAtMilliseconds.map { String($0) } ?? "", ""])
            + tables.map(\.csv).joined()
    }
}
