import SQLite
import SchemaFiles

extension ReportReader {
    struct FunnelRow {
        let name: String
        let piece: String
        let started: Int64
        let captured: Int64
        let checked: Int64
        let confirmed: Int64
        let verified: Int64
        let completed: Int64
        let dropped: Int64
        /// Repeated ones too.
        let captures: Int64
    }

    func funnelRows(_ grouping: ReportRequest.Grouping) throws(SQLiteError) -> [FunnelRow] {
        var rows: [FunnelRow] = []
        try forEachRow(SchemaFiles.analyticsReportFunnel, grouping: grouping) { row in
            rows.append(
                FunnelRow(
                    name: row.text(0), piece: row.text(1), started: row.int64(2), captured: row.int64(3), checked: row.int64(4),
                    confirmed: row.int64(5), verified: row.int64(6), completed: row.int64(7), dropped: row.int64(8),
                    captures: row.int64(9)))
        }
        return rows
    }

    private static let stepColumns: [ReportTable.Column] = [
        .init("step", "step", .text), .init("sessions", "sessions", .count), .init("of", "of", .count),
        .init("rate", "rate", .rate), .init("lost", "lost", .count), .init("lost_rate", "lost of the step before", .rate),
    ]

    func funnelTable(_ rows: [FunnelRow]) -> ReportTable {
        var table = ReportTable(
            "funnel", "Funnel",
            "Sessions that reached a step with any piece, of those that started. Lost: of the sessions at the step before, those that did not get here. "
                + "Confirmed is compared with captured, since a session whose checks are off, or come later, is confirmed without being checked: only there can a step hold more sessions than the one above it.",
            groupColumn + Self.stepColumns)
        var shown = rows
        if shown.isEmpty, request.grouping == .overall { shown = [.empty] }
        for row in shown {
            table.rows += Self.steps(row, first: "started").map { groupCell(row.name) + $0 }
        }
        return table
    }

    func pieceTable(_ rows: [FunnelRow]) -> ReportTable {
        var table = ReportTable(
            "pieces", "Pieces",
            "Sessions that reached a step with that piece, of those that asked for it. Completed: completed sessions in which it was verified. "
                + "Dropped: it left the run without a capture. Confirmed is compared with captured, as in the funnel.",
            [.init("piece", "piece", .text)] + Self.stepColumns)
        for row in rows {
            table.rows += Self.steps(row, first: "asked").map { [.text(row.piece)] + $0 }
            table.rows.append([
                .text(row.piece), .text("dropped"), .count(row.dropped), .count(row.started),
                .rate(Rate(row.dropped, of: row.started)), .none, .none,
            ])
        }
        return table
    }

    private static func steps(_ row: FunnelRow, first: String) -> [[ReportTable.Cell]] {
        let steps: [(name: String, count: Int64, before: Int64?)] = [
            (first, row.started, nil), ("captured", row.captured, row.started), ("checked", row.checked, row.captured),
            ("confirmed", row.confirmed, row.captured), ("verified", row.verified, row.confirmed),
            ("completed", row.completed, row.verified),
        ]
        return steps.map { step in
            [
                .text(step.name), .count(step.count), .count(row.started), .rate(Rate(step.count, of: row.started)),
                step.before.map { .count($0 - step.count) } ?? .none,
                step.before.map { .rate(Rate($0 - step.count, of: $0)) } ?? .none,
            ]
        }
    }
}

extension ReportReader.FunnelRow {
    fileprivate static let empty = Self(
        name: "", piece: "", started: 0, captured: 0, checked: 0, confirmed: 0, verified: 0, completed: 0, dropped: 0,
        captures: 0)
}
