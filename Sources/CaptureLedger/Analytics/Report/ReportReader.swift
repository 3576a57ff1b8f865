import SQLite
import SchemaFiles

/// Asks analytics.sqlite for the tables of a report, all in one snapshot.
struct ReportReader {
    let connection: Connection
    let request: ReportRequest
    private let first: String
    private let end: String

    init(_ connection: Connection, _ request: ReportRequest) {
        self.connection = connection
        self.request = request
        first = request.firstDay?.text ?? "0000-00-00"
        end = request.endDay?.text ?? "9999-99-99"
    }

    /// Runs a query over the days of the report.
    func forEachRow(
        _ sql: [UInt8], grouping: ReportRequest.Grouping? = nil, _ body: (Statement) -> Void
    ) throws(SQLiteError) {
        let statement = try Statement(connection, sql)
        statement.bind(first, at: 1)
        statement.bind(end, at: 2)
        if let grouping { statement.bind(grouping.rawValue, at: 3) }
        while try statement.step() { body(statement) }
    }

    func report(position: Int64, recordedAtMilliseconds: Int64?) throws(SQLiteError) -> AnalyticsReport {
        var report = AnalyticsReport(request: request, position: position, recordedAtMilliseconds: recordedAtMilliseconds)
        let funnel = try funnelRows(request.grouping)
        let overall = request.grouping == .overall ? funnel : try funnelRows(.overall)
        let outcomes = try outcomeRows(request.grouping)
        report.tables = [
            funnelTable(funnel.filter { $0.piece.isEmpty }), pieceTable(overall.filter { !$0.piece.isEmpty }),
            outcomeTable(outcomes), dropOffTable(request.grouping == .overall ? outcomes : try outcomeRows(.overall)),
            try attemptTable(), try refusalTable(overall), try stepTable(), try answerTable(),
        ]
        report.tables += try requestTables()
        report.tables += [try checkTable(), try tiltTable(), try guidanceTable()]
        let days = request.grouping == .day ? funnel : try funnelRows(.day)
        report.days = days.filter { $0.piece.isEmpty }.map {
            AnalyticsReport.Day(day: $0.name, started: $0.started, completed: $0.completed)
        }
        return report
    }

    /// The column that names the groups; none for one sum.
    var groupColumn: [ReportTable.Column] {
        switch request.grouping {
        case .overall: []
        case .context: [.init("context", "context", .text)]
        case .day: [.init("day", "day", .text)]
        }
    }

    func groupCell(_ name: String) -> [ReportTable.Cell] {
        request.grouping == .overall ? [] : [name.isEmpty ? .unnamed("(no context)") : .text(name)]
    }
}
