import SessionDomain
import SystemCalls
import Testing

@testable import CaptureLedger

/// What figures are made of.
@Suite struct FigureTests {
    @Test func `a rate of nothing is not applicable, and never a number`() {
        #expect(Rate(0, of: 0).value == nil && Rate(0, of: 0).text == "n/a")
        #expect(Rate(1, of: 3).text == "33.3 %" && Rate(2, of: 3).text == "66.7 %" && Rate(3, of: 3).text == "100.0 %")
        var table = ReportTable("x", "X", "", [.init("rate", "rate", .rate), .init("value", "value", .number)])
        table.rows = [[.rate(Rate(0, of: 0)), .number(.nan)], [.rate(Rate(1, of: 4)), .number(0.5)]]
        #expect(table.json.canonical == #"[{"rate":null,"value":null},{"rate":0.25,"value":0.5}]"#)
        #expect(ReportTable.words(.number(.infinity)) == "n/a")
    }

    @Test func `a percentile is the end of the bucket that holds it`() {
        var histogram = Histogram()
        #expect(histogram.percentile(50) == nil)
        histogram.add(below: 11, times: 98)
        histogram.add(below: 101, times: 1)
        histogram.add(below: 1_001, times: 1)
        #expect([1, 50, 98, 99, 100].map { histogram.percentile($0) } == [10, 10, 10, 100, 1_000])
        histogram.add(below: 5, times: 100)
        #expect(histogram.count == 200 && histogram.percentile(50) == 4)
    }

    @Test func `CSV is quoted as RFC 4180 says, and a spreadsheet finds no formula in it`() throws {
        var table = ReportTable(
            "funnel", "F", "", [.init("context", "c", .text), .init("step", "s", .text), .init("sessions", "n", .count)])
        let hostile = ["=1+1", "+4", "-4", "@x", "\tx", "a,b", "a\"b", "a\r\nb", "ü–漢字", "plain", "＝1"]
        table.rows = hostile.map { [.text($0), .text("captured"), .count(-5)] }
        let text = CSVText.record(ReportTable.csvHeader) + table.csv
        let program =
            "import csv, json, sys; print(json.dumps(list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8'), strict=True))))"
        let folder = try FileSystem.makeTemporaryFolder()
        defer {
            _ = try? ChildProcess.run(
                path: "/bin/rm", arguments: ["rm", "-rf", folder], limitMilliseconds: 5_000, outputLimit: 0)
        }
        try FileDescriptor(opening: folder + "/x.csv", .createNew).write(Array(text.utf8))
        let said = try ChildProcess.run(
            path: "/usr/bin/env", arguments: ["env", "python3", "-c", program, folder + "/x.csv"], limitMilliseconds: 30_000,
            outputLimit: 1 << 20)
        let rows = try #require(try JSONValue.parse(said.output.filter { $0 != 0x0A }).asArray)
        #expect(rows.count == hostile.count + 1)
        for (row, name) in zip(rows.dropFirst(), hostile) {
            let fields = row.asArray?.compactMap(\.asString) ?? []
            #expect(fields.count == 5 && fields[0] == "funnel" && fields[2] == "sessions")
            let isFormula = ["=", "+", "-", "@", "\t", "＝"].contains { name.hasPrefix($0) }
            #expect(fields[1] == (isFormula ? "'" : "") + name + " / captured")
            #expect(fields[3] == "-5", "a number stays one")
        }
    }
}
