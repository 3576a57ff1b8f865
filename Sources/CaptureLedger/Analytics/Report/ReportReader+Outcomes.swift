import SQLite
import SchemaFiles

extension ReportReader {
    struct OutcomeRow {
        let name: String
        let outcome: String
        let exitClass: String
        let piece: String
        let step: String
        let sessions: Int64
        let stillRuns: Bool
    }

    func outcomeRows(_ grouping: ReportRequest.Grouping) throws(SQLiteError) -> [OutcomeRow] {
        var rows: [OutcomeRow] = []
        try forEachRow(SchemaFiles.analyticsReportOutcomes, grouping: grouping) { row in
            rows.append(
                OutcomeRow(
                    name: row.text(0), outcome: row.text(1), exitClass: row.text(2), piece: row.text(3), step: row.text(4),
                    sessions: row.int64(5), stillRuns: row.int64(6) != 0))
        }
        return rows
    }

    /// Ended sessions first, then those that still run.
    func outcomeTable(_ rows: [OutcomeRow]) -> ReportTable {
        var table = ReportTable(
            "outcomes", "Outcome classes",
            "Every session is in exactly one class. The rate of an ended session's class is of all that ended, that of one that still runs is of all that run. "
                + "Exited ones are told apart by where they stood; erased: erased while it ran.",
            groupColumn + [
                .init("class", "class", .text), .init("state", "state", .text), .init("sessions", "sessions", .count),
                .init("of", "of", .count), .init("rate", "rate", .rate),
            ])
        for group in Self.grouped(rows, by: \.name) {
            for stillRuns in [false, true] {
                let part = group.rows.filter { $0.stillRuns == stillRuns }
                let whole = part.reduce(0) { $0 + $1.sessions }
                let classes = Self.grouped(part) { $0.exitClass.isEmpty ? $0.outcome : "exited: \($0.exitClass)" }
                for found in classes {
                    let count = found.rows.reduce(0) { $0 + $1.sessions }
                    table.rows.append(
                        groupCell(group.key) + [
                            .text(found.key), .text(stillRuns ? "runs" : "ended"), .count(count), .count(whole),
                            .rate(Rate(count, of: whole)),
                        ])
                }
            }
        }
        return table
    }

    func dropOffTable(_ rows: [OutcomeRow]) -> ReportTable {
        var table = ReportTable(
            "drop_off", "Where sessions stopped",
            "Sessions that ended without being completed, by the piece at which they stopped and what that piece waited for, of all that ended so.",
            [
                .init("piece", "piece", .text), .init("waited_for", "waited for", .text),
                .init("sessions", "sessions", .count), .init("of", "of", .count), .init("rate", "rate", .rate),
            ])
        let stopped = rows.filter { !$0.stillRuns && $0.outcome != "completed" }
        let whole = stopped.reduce(0) { $0 + $1.sessions }
        let places = Self.grouped(stopped) { "\($0.piece)/\($0.step)" }.map { group in
            (group.rows[0], count: group.rows.reduce(0) { $0 + $1.sessions })
        }
        for (place, count) in places.sorted(by: { ($1.count, $0.0.piece, $0.0.step) < ($0.count, $1.0.piece, $1.0.step) }) {
            table.rows.append([
                place.piece.isEmpty ? .unnamed("(nothing was missing)") : .text(place.piece),
                place.step.isEmpty ? .unnamed("(nothing)") : .text(place.step), .count(count), .count(whole),
                .rate(Rate(count, of: whole)),
            ])
        }
        return table
    }

    /// In the order in which keys first appear.
    static func grouped<Row>(_ rows: [Row], by key: (Row) -> String) -> [(key: String, rows: [Row])] {
        var groups: [(key: String, rows: [Row])] = []
        var places: [String: Int] = [:]
        for row in rows {
            let key = key(row)
            if let place = places[key] {
                groups[place].rows.append(row)
            } else {
                places[key] = groups.count
                groups.append((key, [row]))
            }
        }
        return groups
    }
}
