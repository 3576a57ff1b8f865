import Audit
import EventCoding
import EventStorage
import Foundation
import Testing

@Suite struct LedgerVerifierTests {
    @Test func `a sound ledger has no problem and everything was looked at`() throws {
        let report = try SmallLedger(sessions: 3).verify()
        #expect(report.problems == [])
        #expect(report.events == 9)
        #expect(report.commits == 6)
        #expect(report.media == 3)
        #expect(report.openedMedia == 3)
        #expect(report.openedPrivateHalves == 3)
    }

    @Test func `without keys the sealed bytes are still compared`() throws {
        let ledger = try SmallLedger(sessions: 2)
        #expect(try ledger.verify(withKeys: false).isSound)
        #expect(try ledger.verify(withKeys: false).openedMedia == 0)
        try flipByte(of: ledger.mediaPath(2), at: 100)
        #expect(try codes(ledger.verify(withKeys: false)) == ["media_altered"])
    }

    @Test func `more events than a page are read to the end`() throws {
        let ledger = try SmallLedger(sessions: 2)
        for _ in 0..<3 { try ledger.add(.plain(.sessionSuspended, facts: #"{"at_ms":1}"#), session: 1, times: 256) }
        let report = try ledger.verify()
        #expect(report.problems == [])
        #expect(report.events == 6 + 3 * 256)
    }

    @Test(arguments: [
        "event_id = randomblob(16)", "type = 3", "schema_version = 9", "recorded_at_ms = 5", "occurred_at_ms = 1", "flags = 1",
        "command_id = 'x'", "correlation_id = 'x'", "causation_position = 1", "actor = 'x'", "piece = 2",
        "capture_id = randomblob(16)", "source = 2", "outcome = 1", "reason = 'x'", "duration_ms = 1", "facts = '{}'",
        "private = x'00'", "session_no = 2, version = 9",
    ])
    func `every column of an event is under the chain`(change: String) throws {
        let ledger = try SmallLedger(sessions: 2)
        try ledger.tamper("UPDATE event SET \(change) WHERE position = 3")
        let broken = try ledger.verify(withKeys: false).problems.filter { $0.code == .chainBroken }
        #expect(broken.map(\.position) == [2])
    }

    @Test(arguments: [
        ("DELETE FROM event WHERE position = 3", ["chain_broken", "commit_without_events", "position_gap"]),
        ("DELETE FROM event WHERE position = 2", ["chain_broken", "commit_without_events", "position_gap", "version_gap"]),
        ("DELETE FROM event WHERE position = 6", ["chain_broken", "commit_without_events"]),
        ("DELETE FROM event_commit WHERE last_position = 6", ["event_outside_commits"]),
        ("DELETE FROM event_commit WHERE last_position = 3", ["chain_broken", "commit_gap", "event_outside_commits"]),
        ("UPDATE event_commit SET committed_at_ms = 7 WHERE last_position = 3", ["chain_broken"]),
        ("UPDATE event_commit SET chain = zeroblob(32) WHERE last_position = 6", ["chain_broken"]),
        ("DELETE FROM event WHERE position > 4", ["commit_without_events"]),
        ("DELETE FROM event", ["commit_without_events"]),
        ("UPDATE event SET version = 7 WHERE position = 3", ["chain_broken", "version_gap"]),
    ])
    func `rows that were cut out or moved are found`(sql: String, expected: [String]) throws {
        let ledger = try SmallLedger(sessions: 2)
        try ledger.tamper(sql)
        let found = try codes(ledger.verify(withKeys: false))
        for code in expected { #expect(found.contains(code), "\(sql) gives \(found)") }
    }

    @Test func `an altered original is found with and without its key`() throws {
        let ledger = try SmallLedger(sessions: 2)
        try flipByte(of: ledger.mediaPath(1), at: 150_000)
        let report = try ledger.verify()
        #expect(codes(report) == ["media_altered", "media_unreadable"])
        #expect(Set(report.problems.map(\.position)) == [2])
    }

    @Test func `a missing original is a problem unless an event says why`() throws {
        let ledger = try SmallLedger(sessions: 2)
        try FileManager.default.removeItem(atPath: ledger.mediaPath(1))
        #expect(try codes(ledger.verify()) == ["media_missing"])
        try ledger.add(
            .plain(.mediaPurged, capture: ledger.captures[0], reason: "answered", facts: #"{"bytes":1}"#), session: 1)
        #expect(try codes(ledger.verify()) == [])
    }

    @Test func `an erased session needs neither its key nor its original`() throws {
        let ledger = try SmallLedger(sessions: 2)
        try ledger.vault.destroy(1, atMilliseconds: 1)
        #expect(try codes(ledger.verify()) == ["key_lost"])
        try FileManager.default.removeItem(atPath: ledger.mediaPath(1))
        try ledger.add(.plain(.sessionErased, facts: #"{"at_ms":1}"#), session: 1)
        let report = try ledger.verify()
        #expect(report.problems == [])
        #expect(report.openedMedia == 1)
    }

    @Test func `an erasure that left the key or the original is found`() throws {
        let ledger = try SmallLedger(sessions: 1)
        try ledger.add(.plain(.sessionErased, facts: #"{"at_ms":1}"#), session: 1)
        #expect(try codes(ledger.verify()) == ["erased_key_alive", "erased_media_present"])
    }

    @Test func `a private half of another event does not pass`() throws {
        let ledger = try SmallLedger(sessions: 2)
        try ledger.tamper("UPDATE event SET private = (SELECT private FROM event WHERE position = 4) WHERE position = 1")
        #expect(try codes(ledger.verify()) == ["chain_broken", "private_unreadable"])
    }

    @Test func `what is appended and signed while a verification runs is no reason to call anything missing`() throws {
        let ledger = try SmallLedger(sessions: 2)
        try ledger.sign()
        for _ in 0..<3 { try ledger.add(.plain(.sessionSuspended, facts: #"{"at_ms":1}"#), session: 1, times: 200) }
        try ledger.signAgain()
        let reader = try TreeReader(ledger.connection)
        try ledger.write { writer in
            while let growth = try reader.growth(ledger.connection, size: 607) { try writer.store(growth) }
        }
        for last in [7, 207, 407] as [Int64] {
            var options = AuditOptions()
            options.through = last
            let report = try ledger.verify(options)
            #expect(report.problems == [] && report.events == last, "up to \(last)")
        }
        // and the end of a log that was cut off is still told from one that grew
        try ledger.tamper("DELETE FROM event WHERE position > 600")
        #expect(try codes(ledger.verify()).contains("commit_without_events"))
        #expect(try codes(ledger.verify()).contains("log_truncated"))
    }

    @Test func `a ruined ledger does not fill the memory`() throws {
        let ledger = try SmallLedger(sessions: 1)
        try ledger.add(.plain(.sessionSuspended, facts: #"{"at_ms":1}"#), session: 1, times: 1200)
        try ledger.tamper("DELETE FROM event_commit")
        let report = try ledger.verify(withKeys: false)
        #expect(report.problemCount > VerificationReport.problemLimit)
        #expect(report.problems.count == VerificationReport.problemLimit)
    }

    private func codes(_ report: VerificationReport) -> [String] {
        Set(report.problems.map(\.code.rawValue)).sorted()
    }

    private func flipByte(of path: String, at offset: Int) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[offset] ^= 1
        try bytes.write(to: URL(filePath: path))
    }
}
