import SQLite
import SchemaFiles

extension ReportReader {
    private static let percentiles: [ReportTable.Column] = [
        .init("p50_ms", "p50", .milliseconds), .init("p90_ms", "p90", .milliseconds), .init("p99_ms", "p99", .milliseconds),
    ]

    private static func cells(_ times: Histogram) -> [ReportTable.Cell] {
        [50, 90, 99].map { .milliseconds(times.percentile($0)) }
    }

    func stepTable() throws(SQLiteError) -> ReportTable {
        var table = ReportTable(
            "steps", "Time per step",
            "Half of them took at most p50, nine of ten p90, 99 of 100 p99; rounded up by less than a sixteenth. "
                + "to_first_capture: from the start to a piece's first capture. capture_to_check, capture_to_confirm, confirm_to_answer: of captures. "
                + "to_verified: from a piece's first capture until it was verified. session: from start to completion.",
            [.init("step", "step", .text), .init("piece", "piece", .text), .init("times", "times", .count)] + Self.percentiles)
        for (step, piece, times) in try stepTimes() {
            table.rows.append(
                [.text(step), piece.isEmpty ? .unnamed("(session)") : .text(piece), .count(times.count)] + Self.cells(times))
        }
        return table
    }

    /// By step and piece. Rows come by day, context, piece and step: one is mostly of the same step as the one before it.
    private func stepTimes() throws(SQLiteError) -> [(step: String, piece: String, times: Histogram)] {
        var buckets: [(step: String, piece: String, times: [Int64: Int64])] = []
        var current = -1
        try forEachRow(SchemaFiles.analyticsReportSteps) { row in
            let (step, piece) = (row.text(0), row.text(1))
            if current < 0 || buckets[current].step != step || buckets[current].piece != piece {
                current = buckets.firstIndex { $0.step == step && $0.piece == piece } ?? buckets.count
                if current == buckets.count { buckets.append((step, piece, [:])) }
            }
            buckets[current].times[row.int64(2), default: 0] += row.int64(3)
        }
        return buckets.sorted { ($0.step, $0.piece) < ($1.step, $1.piece) }.map { bucket in
            var times = Histogram()
            for (below, count) in bucket.times.sorted(by: { $0.key < $1.key }) { times.add(below: below, times: count) }
            return (bucket.step, bucket.piece, times)
        }
    }

    func answerTable() throws(SQLiteError) -> ReportTable {
        var table = ReportTable(
            "deliveries", "Deliveries",
            "What a destination answered last for a confirmed capture, of all captures confirmed for it, and the requests spent on them. Late answers are left out; waiting: no answer yet; withdrawn: none is needed any more.",
            [
                .init("destination", "destination", .text), .init("answer", "answer", .text),
                .init("captures", "captures", .count), .init("of", "of", .count), .init("rate", "rate", .rate),
                .init("requests", "requests", .count),
            ])
        var rows: [(destination: String, answer: String, captures: Int64, requests: Int64)] = []
        try forEachRow(SchemaFiles.analyticsReportAnswers) { row in
            rows.append((row.text(0), row.text(1), row.int64(2), row.int64(3)))
        }
        for group in Self.grouped(rows, by: \.destination) {
            let whole = group.rows.reduce(0) { $0 + $1.captures }
            for row in group.rows {
                table.rows.append([
                    .text(row.destination), .text(row.answer), .count(row.captures), .count(whole),
                    .rate(Rate(row.captures, of: whole)), .count(row.requests),
                ])
            }
        }
        return table
    }

    /// How long requests took, and what went wrong with them.
    func requestTables() throws(SQLiteError) -> [ReportTable] {
        var latency = ReportTable(
            "requests", "Requests",
            "Requests that began on the days of the report, by destination, and how long they took (rounded up by less than a sixteenth). Failed: without an answer, or with a status that is not 2xx.",
            [
                .init("destination", "destination", .text), .init("requests", "requests", .count),
                .init("failed", "failed", .count), .init("failed_rate", "failed of these", .rate),
            ] + Self.percentiles)
        var errors = ReportTable(
            "errors", "What went wrong with requests",
            "Failed requests by what they were taken for, of all requests to that destination.",
            [
                .init("destination", "destination", .text), .init("explanation", "taken for", .text),
                .init("status", "status", .text), .init("requests", "requests", .count), .init("of", "of", .count),
                .init("rate", "rate", .rate),
            ])
        var rows: [(destination: String, explanation: String, status: Int64, failed: Bool, below: Int64, times: Int64)] = []
        try forEachRow(SchemaFiles.analyticsReportRequests) { row in
            rows.append((row.text(0), row.text(1), row.int64(2), row.int64(3) != 0, row.int64(4), row.int64(5)))
        }
        for group in Self.grouped(rows, by: \.destination) {
            var times = Histogram()
            for row in group.rows { times.add(below: row.below, times: row.times) }
            let failures = group.rows.filter(\.failed)
            let failed = failures.reduce(0) { $0 + $1.times }
            latency.rows.append(
                [.text(group.key), .count(times.count), .count(failed), .rate(Rate(failed, of: times.count))]
                    + Self.cells(times))
            for kind in Self.grouped(failures, by: { "\($0.explanation)/\($0.status)" }).sorted(by: { $0.key < $1.key }) {
                let count = kind.rows.reduce(0) { $0 + $1.times }
                let status = kind.rows[0].status
                errors.rows.append([
                    .text(group.key), .text(kind.rows[0].explanation),
                    status == 0 ? .unnamed("(no answer)") : .text(String(status)),
                    .count(count), .count(times.count), .rate(Rate(count, of: times.count)),
                ])
            }
        }
        return [latency, errors]
    }
}
