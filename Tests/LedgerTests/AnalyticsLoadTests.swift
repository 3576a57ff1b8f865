import SQLite
import SchemaFiles
import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger
@testable import Projections

/// Sums that are written day by day while sessions come, beside the same sums added up in memory and written once.
@Suite struct AnalyticsLoadTests {
    private static let day: Int64 = 86_400_000

    /// Of one session that began on a day; contexts and reasons are ordered by their bytes, not by their letters.
    private func facts(day: Int64, _ random: inout SeededRandom) -> SessionFacts {
        func moment(_ milliseconds: Int64) -> SessionFacts.Moment {
            SessionFacts.Moment(position: 1, atMilliseconds: day * Self.day + milliseconds)
        }
        var facts = SessionFacts()
        facts.started = moment(0)
        facts.context = [nil, "a", "ab", "Z", "é", "e\u{301}"].randomElement(using: &random)!
        for piece in [Piece.selfie, .passportFront] {
            var row = SessionFacts.PieceRow(piece: piece, ordinal: facts.pieces.count)
            if random.one(in: 2) { row.stages.reach(.captured, moment(Int64.random(in: 0...90_000, using: &random))) }
            facts.pieces.append(row)
        }
        let reasons = ["glare", "B", "b", "ß", "", "10", "9"]
        facts.refusals.append(
            SessionFacts.RefusalRow(
                moment: moment(5), piece: .selfie, origin: .checks, reason: reasons.randomElement(using: &random)!,
                isLate: false,
                capturePosition: 1))
        let threshold = [-2.5, -0.0, 0, 0.25, 1e300].randomElement(using: &random)!
        let finding = Finding(
            metric: "tilt", value: 1, passed: random.one(in: 2), direction: .below, threshold: threshold, policyVersion: nil)
        facts.findings.append(
            SessionFacts.FindingRow(
                position: 1, number: 0, capturePosition: 1, piece: .selfie, finding: finding, policyVersion: "2026"))
        return facts
    }

    private func rows(
        _ folder: String, _ name: String, heldSums: Int, _ sums: [DailySums]
    ) throws -> (rows: [String], late: Int) {
        let path = folder + "/" + name
        // each connection locks the file for as long as it lives
        do {
            let connection = try Connection(path: path, mode: .create)
            try connection.execute(SchemaFiles.analyticsConfigureNew)
            try connection.execute(SchemaFiles.analyticsConfigureBuild)
            try AnalyticsWriter.makeTables(in: connection)
        }
        let load = try AnalyticsLoad(path: path, heldSums: heldSums)
        for sums in sums { try load.add(sums) }
        let late = try load.finish()
        do {
            let rest = try Connection(path: path, mode: .write)
            try rest.execute(SchemaFiles.analyticsConfigureBuild)
            let writer = try AnalyticsWriter(rest)
            try writer.begin()
            writer.add(late)
            let nobody = UUID128(high: 1, low: 2)
            try writer.commit(
                AnalyticsProgress(ledgerID: nobody, epoch: nobody, position: 1, recordedAtMilliseconds: 1, attemptNumber: 0))
        }
        #expect(try answers(try Connection(path: path, mode: .read), "PRAGMA integrity_check") == ["ok"])
        return (try analyticsRows(folder, file: name), late.rowCount)
    }

    @Test func `sums of days are the same whenever they are written, also when clocks are set back`() throws {
        let folder = try FileSystem.makeTemporaryFolder()
        defer { try? removeTree(folder) }
        let seed = SeededRandom.seed(for: "analytics load")
        var random = SeededRandom(seed: seed)
        // of years before the first and behind the last with four digits, too
        for first: Int64 in [20_600, -719_600, 2_932_800] {
            var (day, sums) = (first, [DailySums]())
            for _ in 0..<60 {
                day += Int64.random(in: 0...6, using: &random)
                var page = DailySums()
                for _ in 0..<20 {
                    let started = random.one(in: 30) ? day - Int64.random(in: 1...90, using: &random) : day
                    page.add(facts(day: started, &random), sign: 1)
                }
                sums.append(page)
            }
            let whole = try rows(folder, "whole\(first)", heldSums: .max / 2, sums)
            let daily = try rows(folder, "daily\(first)", heldSums: 100, sums)
            #expect(whole.rows == daily.rows && whole.rows.count > 500)
            #expect(daily.late > 0 && (first != 20_600 || whole.late == 0))
        }
    }
}
