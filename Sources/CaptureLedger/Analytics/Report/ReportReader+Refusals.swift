import SQLite
import SchemaFiles

extension ReportReader {
    func attemptTable() throws(SQLiteError) -> ReportTable {
        var table = ReportTable(
            "attempts", "Attempts per piece",
            "Sessions that captured a piece so many times, of those that captured it; and how many of them got it verified.",
            [
                .init("piece", "piece", .text), .init("attempts", "attempts", .text), .init("sessions", "sessions", .count),
                .init("of", "of", .count), .init("rate", "rate", .rate), .init("verified", "verified", .count),
                .init("verified_rate", "verified of these", .rate),
            ])
        var rows: [(piece: String, attempts: Int64, sessions: Int64, verified: Int64)] = []
        try forEachRow(SchemaFiles.analyticsReportAttempts) { row in
            if row.int64(1) > 0 { rows.append((row.text(0), row.int64(1), row.int64(2), row.int64(3))) }
        }
        for group in Self.grouped(rows, by: \.piece) {
            let whole = group.rows.reduce(0) { $0 + $1.sessions }
            for row in group.rows {
                table.rows.append([
                    .text(row.piece), .text(String(row.attempts)), .count(row.sessions), .count(whole),
                    .rate(Rate(row.sessions, of: whole)), .count(row.verified), .rate(Rate(row.verified, of: row.sessions)),
                ])
            }
        }
        return table
    }

    /// - Parameter funnel: of each piece; it has the number of captures.
    func refusalTable(_ funnel: [FunnelRow]) throws(SQLiteError) -> ReportTable {
        var table = ReportTable(
            "refusals", "Who said no, and why",
            "How often somebody said no for a reason, and in how many sessions. The rate is of all captures of the piece; at intake, where nothing is captured, of captures and refusals at intake together. "
                + "Late answers are left out. Intake: the media could not be taken in. Delivery: it gave up.",
            [
                .init("origin", "who", .text), .init("piece", "piece", .text), .init("reason", "reason", .text),
                .init("refusals", "times", .count), .init("sessions", "sessions", .count), .init("of", "of", .count),
                .init("rate", "rate", .rate),
            ])
        var rows: [(origin: String, piece: String, reason: String, times: Int64, captures: Int64, sessions: Int64)] = []
        try forEachRow(SchemaFiles.analyticsReportRefusals) { row in
            rows.append((row.text(0), row.text(1), row.text(2), row.int64(3), row.int64(4), row.int64(5)))
        }
        for row in rows {
            let captures = funnel.first { $0.piece == row.piece }?.captures ?? 0
            let atIntake = rows.filter { $0.origin == "intake" && $0.piece == row.piece }.reduce(0) { $0 + $1.times }
            let isIntake = row.origin == "intake"
            let whole = isIntake ? captures + atIntake : captures
            table.rows.append([
                .text(row.origin), .text(row.piece), .text(row.reason), .count(row.times), .count(row.sessions), .count(whole),
                .rate(Rate(isIntake ? row.times : row.captures, of: whole)),
            ])
        }
        return table
    }

    func checkTable() throws(SQLiteError) -> ReportTable {
        var table = ReportTable(
            "checks", "Checks",
            "Findings that failed, of those that were judged, by policy and threshold. What was only measured is left out.",
            [
                .init("piece", "piece", .text), .init("metric", "metric", .text), .init("policy_version", "policy", .text),
                .init("direction", "good is", .text), .init("threshold", "threshold", .number),
                .init("failed", "failed", .count),
                .init("of", "of", .count), .init("rate", "rate", .rate),
            ])
        try forEachRow(SchemaFiles.analyticsReportChecks) { row in
            let judged = row.int64(5) + row.int64(6)
            table.rows.append([
                .text(row.text(0)), .text(row.text(1)), row.text(2).isEmpty ? .unnamed("(none)") : .text(row.text(2)),
                .text(row.text(3)), .number(row.double(4)), .count(row.int64(6)), .count(judged),
                .rate(Rate(row.int64(6), of: judged)),
            ])
        }
        return table
    }
}
