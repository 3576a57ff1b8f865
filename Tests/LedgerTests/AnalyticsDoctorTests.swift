import SQLite
import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

/// Whatever is the matter with analytics.sqlite is named, with a remedy that works.
@Suite struct AnalyticsDoctorTests {
    private static let cases = [
        ("missing", "analytics_missing"), ("behind", "analytics_behind"), ("ahead", "analytics_ahead"),
        ("another ledger", "analytics_other_ledger"), ("another epoch", "analytics_restored"),
        ("another schema", "analytics_other_schema"), ("header", "analytics_foreign"), ("page", "analytics_damaged"),
        ("cut", "analytics_damaged"), ("interrupted", "analytics_interrupted"),
    ]

    @Test(arguments: cases)
    func `what is the matter with analytics is named, mended by doctor or by a report, and nothing else is touched`(
        how: String, code: String
    ) throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        for _ in 0..<40 { _ = try ledger.start(StartRequest(configuration: configuration([.selfie]))) }
        try ledger.catchUpAnalytics()
        #expect(try codes(ledger) == [])
        let rows = try analyticsRows(temporary.path)
        let file = temporary.path + "/analytics.sqlite"
        for mends in ["doctor", "report"] {
            try harm(file, how)
            if how == "behind" { _ = try ledger.start(StartRequest(configuration: configuration([.selfie]))) }
            let before = try tree(temporary.path)
            let found = try #require(try ledger.doctor(fix: false).findings.first { $0.code.hasPrefix("analytics") })
            #expect(found.code == code && !found.fixed && !found.remedy.isEmpty)
            let isNote = ["missing", "behind", "another schema", "interrupted"].contains(how)
            #expect(found.severity == (isNote ? .note : .warning))
            #expect(try tree(temporary.path) == before)
            if mends == "doctor" {
                let fixed = try ledger.doctor(fix: true)
                #expect(fixed.findings.first { $0.code == code }?.fixed == (how != "missing"))
                #expect(fixed.isHealthy, "\(fixed.findings)")
                if how == "missing" { continue }
            } else {
                _ = try ledger.report()
            }
            #expect(try codes(ledger) == [])
            if how != "behind" { #expect(try analyticsRows(temporary.path) == rows) }
        }
    }

    @Test func `F29 tables that stand ahead after a restore are made anew by the report, and are those of the restored log`()
        throws
    {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        for _ in 0..<3 { _ = try ledger.start(StartRequest(configuration: configuration([.selfie]))) }
        _ = try ledger.backup(to: temporary.folder + "/a.backup")
        for _ in 0..<5 { _ = try ledger.start(StartRequest(configuration: configuration([.selfie]))) }
        try ledger.catchUpAnalytics()
        // by a restore: the epoch is another
        let report = try Ledger.restore(from: temporary.folder + "/a.backup", to: temporary.folder + "/restored")
        try FileSystem.copy(temporary.path + "/analytics.sqlite", to: report.folder + "/analytics.sqlite")
        let restored = try Ledger.open(folder: report.folder)
        defer { restored.closeAndWait() }
        #expect(try codes(restored) == ["analytics_restored"])
        #expect(try started(restored) == 3)
        #expect(try codes(restored) == [])
        // by hand: the same epoch, and positions that the log has not reached
        let copy = temporary.folder + "/copy"
        ledger.closeAndWait()
        let behind = try Ledger.open(folder: report.folder)
        try behind.catchUpAnalytics()
        behind.closeAndWait()
        _ = try ChildProcess.run(
            path: "/bin/cp", arguments: ["cp", "-a", report.folder, copy], limitMilliseconds: 30_000, outputLimit: 0)
        let further = try Ledger.open(folder: report.folder)
        for _ in 0..<4 { _ = try further.start(StartRequest(configuration: configuration([.selfie]))) }
        try further.catchUpAnalytics()
        further.closeAndWait()
        try FileSystem.copy(report.folder + "/analytics.sqlite", to: copy + "/ahead")
        try FileSystem.rename(copy + "/ahead", to: copy + "/analytics.sqlite")
        let old = try Ledger.open(folder: copy)
        defer { old.closeAndWait() }
        #expect(try codes(old) == ["analytics_ahead"])
        #expect(try started(old) == 3)
        // as many events again: the same positions with other events behind them
        for _ in 0..<4 { _ = try old.start(StartRequest(configuration: configuration([.selfie]))) }
        try FileSystem.copy(report.folder + "/analytics.sqlite", to: copy + "/ahead")
        try FileSystem.rename(copy + "/ahead", to: copy + "/analytics.sqlite")
        #expect(try codes(old) == ["analytics_ahead"])
        #expect(try started(old) == 7)
    }

    private func started(_ ledger: Ledger) throws -> Int64 {
        try ledger.readAnalytics { (context) throws(LedgerError) in
            guard let row = try? Statement(context.connection, "SELECT count(*) FROM session"), (try? row.step()) == true else {
                throw LedgerError.closed
            }
            return row.int64(0)
        }
    }

    private func codes(_ ledger: Ledger) throws -> [String] {
        try ledger.doctor(fix: false).findings.map(\.code).filter { $0.hasPrefix("analytics") }
    }

    private func harm(_ file: String, _ how: String) throws {
        func run(_ sql: String) throws { try Connection(path: file, mode: .write).execute(sql) }
        func replace(_ change: (inout [UInt8]) -> Void) throws {
            var bytes = try FileDescriptor(opening: file, .read).readToEnd(limit: 1 << 26)
            change(&bytes)
            try FileSystem.replace(file, with: bytes, mode: 0o600)
        }
        switch how {
        case "missing": try FileSystem.remove(file)
        case "behind": break
        case "ahead": try run("UPDATE progress SET position = position + 1000")
        case "another ledger": try run("UPDATE progress SET ledger_id = zeroblob(16)")
        case "another epoch": try run("UPDATE progress SET epoch = zeroblob(16)")
        case "another schema": try run("UPDATE progress SET schema_version = 0")
        case "header": try replace { $0[3] ^= 0x20 }
        case "page": try replace { for index in $0.count - 9_000..<$0.count - 4_000 { $0[index] ^= 0x5A } }
        case "cut": try replace { $0.removeLast($0.count / 2) }
        default:
            // as a program leaves it that is killed between two pages: a journal that nobody has rolled back
            let script = """
                import os, sqlite3, sys
                database = sqlite3.connect(sys.argv[1], isolation_level=None)
                database.execute("PRAGMA cache_size = 1")
                database.execute("BEGIN IMMEDIATE")
                database.execute("UPDATE session SET context = printf('%.4000c', 'x')")
                os._exit(0)
                """
            let done = try ChildProcess.run(
                path: "/usr/bin/env", arguments: ["env", "python3", "-c", script, file], limitMilliseconds: 30_000,
                outputLimit: 4_096)
            try #require(done.end == .exited(0))
            try #require(try FileStatus.of(file + "-journal") != nil)
        }
    }
}
