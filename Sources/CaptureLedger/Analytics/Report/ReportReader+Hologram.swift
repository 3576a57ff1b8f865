import SQLite
import SchemaFiles

extension ReportReader {
    /// Where in the tilt recordings ended without a video.
    func tiltTable() throws(SQLiteError) -> ReportTable {
        var table = ReportTable(
            "hologram_tilt", "Hologram: how far the tilt went",
            "Recordings that had passed at least so many targets of the tilt, of all recordings; and those that ended just there without a video, of those that got so far.",
            [
                .init("targets", "targets passed", .text), .init("recordings", "recordings", .count), .init("of", "of", .count),
                .init("rate", "rate", .rate), .init("ended_here", "ended here without a video", .count),
                .init("ended_here_rate", "of those that got here", .rate),
            ])
        var ended: [(targets: Int64, by: String, count: Int64)] = []
        let statement = try Statement(connection, SchemaFiles.analyticsReportRecordings)
        statement.bind(request.firstMilliseconds, at: 1)
        statement.bind(request.endMilliseconds, at: 2)
        while try statement.step() { ended.append((statement.int64(0), statement.text(1), statement.int64(2))) }
        let whole = ended.reduce(0) { $0 + $1.count }
        guard let highest = ended.map(\.targets).max() else { return table }
        for targets in 0...highest {
            let reached = ended.filter { $0.targets >= targets }.reduce(0) { $0 + $1.count }
            let here = ended.filter { $0.targets == targets && $0.by != "captured" && !$0.by.isEmpty }.reduce(0) {
                $0 + $1.count
            }
            table.rows.append([
                .text(String(targets)), .count(reached), .count(whole), .rate(Rate(reached, of: whole)), .count(here),
                .rate(Rate(here, of: reached)),
            ])
        }
        return table
    }

    func guidanceTable() throws(SQLiteError) -> ReportTable {
        var table = ReportTable(
            "hologram_guidance", "Hologram: what users were told",
            "Hints while a hologram was recorded, by how many targets of the tilt had been passed: how often, and in how many sessions.",
            [
                .init("targets", "targets passed", .text), .init("hint", "hint", .text),
                .init("observations", "times", .count), .init("sessions", "sessions", .count),
            ])
        try forEachRow(SchemaFiles.analyticsReportGuidance) { row in
            let target = row.int64(0)
            table.rows.append([
                target < 0 ? .unnamed("(not recording)") : .text(String(target)), .text(row.text(1)), .count(row.int64(2)),
                .count(row.int64(3)),
            ])
        }
        return table
    }
}
