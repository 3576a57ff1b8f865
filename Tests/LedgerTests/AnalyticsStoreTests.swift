import EventStorage
import Projections
import SQLite
import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import Benchmarks
@testable import CaptureLedger

@Suite struct AnalyticsStoreTests {
    private func made(_ sessions: Int, seed: UInt64 = 5) throws -> TemporaryLedger {
        let temporary = try TemporaryLedger()
        try MadeHistory(temporary.ledger, seed: seed).make(sessions: sessions)
        return temporary
    }

    @Test func `S91 S98 F29 analytics caught up in random steps equals one build, also with sessions erased at random`() throws
    {
        for seed in SeededRandom.seeds(for: "analytics") {
            var random = SeededRandom(seed: seed)
            let temporary = try TemporaryLedger()
            let (ledger, sessions) = (temporary.ledger, 90)
            let history = try MadeHistory(ledger, seed: seed)
            var (erased, from): (Set<Int64>, Int64) = ([], 0)
            while try history.make(sessions: sessions, events: Int.random(in: 1...70, using: &random)) {
                if random.one(in: 3), let number = history.finished.subtracting(erased).sorted().randomElement(using: &random) {
                    try erase(number, ledger)
                    erased.insert(number)
                }
                guard random.one(in: 2) else { continue }
                let update = try #require(try ledger.catchUpAnalytics())
                #expect(update.rebuiltBecause == (from == 0 ? .missing : nil) && update.from == from)
                from = update.position
            }
            try ledger.catchUpAnalytics()
            let followed = try analyticsRows(temporary.path)
            try removeTree(temporary.path + "/analytics.sqlite")
            #expect(try ledger.catchUpAnalytics()?.rebuiltBecause == .missing)
            #expect(try analyticsRows(temporary.path) == followed)
            _ = try ledger.rebuild()
            #expect(try analyticsRows(temporary.path) == followed)
            #expect(!erased.isEmpty && from > 0)
            try checkSums(temporary.path)
            try checkFunnel(temporary.path)
        }
    }

    private func erase(_ number: Int64, _ ledger: Ledger) throws {
        let row = try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.session(number: number) }
        }
        _ = try ledger.erase(try #require(row).id)
    }

    /// The daily tables say what is counted from the facts in another way.
    private func checkSums(_ folder: String) throws {
        let connection = try Connection(path: folder + "/analytics.sqlite", mode: .read)
        let cohort =
            "SELECT strftime('%Y-%m-%d', started_at_ms / 1000, 'unixepoch') AS d, coalesce(context, '') AS c, * FROM session"
        let pairs = [
            (
                "SELECT day || context || started || ' ' || captured || ' ' || checked || ' ' || confirmed || ' ' || verified || ' ' || completed || ' ' || captures FROM daily_funnel WHERE piece = '' ORDER BY 1",
                "SELECT d || c || count(*) || ' ' || count(captured_position) || ' ' || count(checked_position) || ' ' || count(confirmed_position) || ' ' || count(verified_position) || ' ' || sum(outcome = 1) || ' ' || sum(captures) FROM (\(cohort)) GROUP BY d, c ORDER BY 1"
            ),
            (
                "SELECT piece || sum(started) || ' ' || sum(captured) || ' ' || sum(checked) || ' ' || sum(confirmed) || ' ' || sum(verified) || ' ' || sum(completed) || ' ' || sum(dropped) FROM daily_funnel WHERE piece <> '' GROUP BY piece ORDER BY 1",
                "SELECT n.name || count(*) || ' ' || count(p.captured_position) || ' ' || count(p.checked_position) || ' ' || count(p.confirmed_position) || ' ' || count(p.verified_position) || ' ' || sum(s.outcome = 1 AND p.verified_position IS NOT NULL) || ' ' || count(p.dropped_position) FROM piece AS p JOIN session AS s USING (session_no) JOIN code_name AS n ON n.kind = 'piece' AND n.code = p.piece GROUP BY n.name ORDER BY 1"
            ),
            (
                "SELECT outcome || exit_class || stopped_piece || stopped_step || sum(sessions) FROM daily_outcome GROUP BY outcome, exit_class, stopped_piece, stopped_step ORDER BY 1",
                "SELECT outcome || coalesce(exit_class, '') || coalesce(stopped_piece, '') || coalesce(stopped_step, '') || count(*) FROM session_readable GROUP BY outcome, exit_class, stopped_piece, stopped_step ORDER BY 1"
            ),
            (
                "SELECT piece || origin || reason || sum(refusals) || ' ' || sum(captures) || ' ' || sum(sessions) FROM daily_refusal GROUP BY piece, origin, reason ORDER BY 1",
                "SELECT piece || origin || reason || count(*) || ' ' || CASE origin WHEN 'intake' THEN count(*) ELSE count(DISTINCT capture_position) END || ' ' || count(DISTINCT session_no) FROM refusal_readable WHERE NOT late GROUP BY piece, origin, reason ORDER BY 1"
            ),
            (
                "SELECT piece || attempts || verified || ' ' || sum(pieces) FROM daily_attempts GROUP BY piece, attempts, verified ORDER BY 1",
                "SELECT n.name || p.attempts || (p.verified_position IS NOT NULL) || ' ' || count(*) FROM piece AS p JOIN code_name AS n ON n.kind = 'piece' AND n.code = p.piece GROUP BY n.name, p.attempts, p.verified_position IS NOT NULL ORDER BY 1"
            ),
            (
                "SELECT piece || metric || policy_version || direction || threshold || ' ' || sum(findings) || ' ' || sum(passed) || ' ' || sum(failed) FROM daily_check GROUP BY piece, metric, policy_version, direction, threshold ORDER BY 1",
                "SELECT piece || metric || policy_version || direction || threshold || ' ' || count(*) || ' ' || sum(passed) || ' ' || sum(NOT passed) FROM finding_readable GROUP BY piece, metric, policy_version, direction, threshold ORDER BY 1"
            ),
            (
                "SELECT piece || destination || answer || reason || sum(captures) FROM daily_answer WHERE answer IN ('verified', 'rejected', 'parked') GROUP BY piece, destination, answer, reason ORDER BY 1",
                "SELECT c.piece || c.destination || c.answer || coalesce((SELECT reason FROM refusal AS r WHERE r.session_no = c.session_no AND r.position = x.answered_position), '') || count(*) FROM capture_readable AS c JOIN capture AS x ON x.session_no = c.session_no AND x.position = c.position WHERE c.answer IS NOT NULL GROUP BY c.piece, c.destination, c.answer, coalesce((SELECT reason FROM refusal AS r WHERE r.session_no = c.session_no AND r.position = x.answered_position), '') ORDER BY 1"
            ),
            (
                "SELECT step || piece || sum(times) FROM daily_step_time WHERE step IN ('confirm_to_answer', 'capture_to_confirm') GROUP BY step, piece ORDER BY 1",
                "SELECT step || piece || count(*) FROM (SELECT 'confirm_to_answer' AS step, piece FROM capture_readable WHERE answer IN ('verified', 'rejected') UNION ALL SELECT 'capture_to_confirm', piece FROM capture_readable WHERE confirmed_at IS NOT NULL) GROUP BY step, piece ORDER BY 1"
            ),
            (
                "SELECT hint || target || ' ' || sum(observations) || ' ' || sum(sessions) FROM daily_guidance GROUP BY hint, target ORDER BY 1",
                "SELECT hint || coalesce(target, -1) || ' ' || count(*) || ' ' || count(DISTINCT session_no) FROM guidance GROUP BY hint, target ORDER BY 1"
            ),
            ("SELECT sum(requests) FROM daily_request", "SELECT count(*) FROM attempt"),
        ]
        for (sums, facts) in pairs { #expect(try answers(connection, sums) == answers(connection, facts), "\(sums)") }
    }

    /// F30: every stage holds at most what the one before it held, and every session has exactly one outcome.
    private func checkFunnel(_ folder: String) throws {
        let connection = try Connection(path: folder + "/analytics.sqlite", mode: .read)
        let wrong = [
            "SELECT session_no FROM session WHERE outcome NOT IN (SELECT code FROM code_name WHERE kind = 'outcome')",
            "SELECT session_no FROM session WHERE (outcome < 10) <> (ended_position IS NOT NULL)",
            "SELECT session_no FROM piece WHERE verified_position < captured_position OR verified_position IS NOT NULL AND captured_position IS NULL",
            "SELECT session_no FROM session WHERE captured_position < started_position OR verified_position < captured_position OR ended_position < started_position",
            "SELECT day FROM daily_funnel WHERE started < captured OR captured < confirmed OR confirmed < verified OR verified < completed",
            "SELECT day FROM daily_funnel WHERE piece = '' GROUP BY day, context HAVING sum(started) <> (SELECT sum(sessions) FROM daily_outcome AS o WHERE o.day = daily_funnel.day AND o.context = daily_funnel.context)",
        ]
        for sql in wrong { #expect(try answers(connection, sql) == [], "\(sql)") }
    }

    @Test(arguments: ["deleted", "cut", "overwritten", "text", "another", "schema", "epoch", "ahead", "empty"])
    func `a file that cannot be used is made anew, with a word`(how: String) throws {
        let temporary = try made(12)
        try temporary.ledger.catchUpAnalytics()
        let rows = try analyticsRows(temporary.path)
        let file = temporary.path + "/analytics.sqlite"
        func run(_ sql: String) throws { try Connection(path: file, mode: .write).execute(sql) }
        var reason: AnalyticsUpdate.Reason
        switch how {
        case "deleted": (reason, _) = (.missing, try FileSystem.remove(file))
        case "cut":
            reason = .damaged
            let bytes = try FileDescriptor(opening: file, .read).readToEnd(limit: 1 << 24)
            try FileSystem.replace(file, with: Array(bytes.prefix(bytes.count / 2)), mode: 0o600)
        case "overwritten":
            reason = .damaged
            var bytes = try FileDescriptor(opening: file, .read).readToEnd(limit: 1 << 24)
            for index in 16_384..<bytes.count { bytes[index] ^= 0x5A }
            try FileSystem.replace(file, with: bytes, mode: 0o600)
        case "text": (reason, _) = (.foreign, try FileSystem.replace(file, with: Array("a note".utf8), mode: 0o600))
        case "another": (reason, _) = (.foreign, try run("PRAGMA application_id = 7"))
        case "schema": (reason, _) = (.otherSchema, try run("UPDATE progress SET schema_version = 0"))
        case "epoch": (reason, _) = (.restored, try run("UPDATE progress SET epoch = zeroblob(16)"))
        case "empty": (reason, _) = (.foreign, try FileSystem.replace(file, with: [], mode: 0o600))
        default: (reason, _) = (.ahead, try run("UPDATE progress SET position = position + 1000"))
        }
        // something is new, so that the tables are looked at
        _ = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie])))
        #expect(try temporary.ledger.catchUpAnalytics()?.rebuiltBecause == reason)
        #expect(try analyticsRows(temporary.path).count > rows.count)
        #expect(try temporary.ledger.catchUpAnalytics()?.rebuiltBecause == nil)
        #expect(try FileStatus.of(file + ".new") == nil)
    }

    @Test func `who reads the old file goes on reading it, and the next one sees the new`() throws {
        let temporary = try made(10)
        try temporary.ledger.catchUpAnalytics()
        let reader = try Connection(path: temporary.path + "/analytics.sqlite", mode: .read)
        try reader.execute("BEGIN")
        let count = "SELECT count(*) FROM session"
        #expect(try answers(reader, count) == ["10"])
        _ = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie])))
        let store = try #require(try AnalyticsStore(temporary.ledger, AnalyticsPlace(temporary.ledger.files), waits: false))
        store.patienceMilliseconds = 50
        #expect(try store.catchUp().rebuiltBecause == nil)
        #expect(try answers(reader, count) == ["10"])
        #expect(try answers(try Connection(path: temporary.path + "/analytics.sqlite", mode: .read), count) == ["11"])
    }

    @Test func `of two processes one works, and the other skips it or waits`() throws {
        let temporary = try made(5)
        let ledger = temporary.ledger
        var store = try AnalyticsStore(ledger, AnalyticsPlace(ledger.files), waits: true)
        #expect(store != nil)
        #expect(try ledger.catchUpAnalytics(waits: false) == nil)
        store = nil
        #expect(try ledger.catchUpAnalytics(waits: false)?.rebuiltBecause == .missing)
    }

    @Test func `a ledger restored from a backup gets its tables made anew`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let first = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        _ = try ledger.backup(to: temporary.folder + "/backup")
        _ = try ledger.start(StartRequest(configuration: configuration([.selfie])))
        try ledger.catchUpAnalytics()
        let folder = temporary.folder + "/restored.ledger"
        _ = try Ledger.restore(from: temporary.folder + "/backup", to: folder, options: RestoreOptions())
        try FileSystem.copy(temporary.path + "/analytics.sqlite", to: folder + "/analytics.sqlite")
        let restored = try Ledger.open(folder: folder)
        defer { restored.closeAndWait() }
        #expect(try restored.catchUpAnalytics()?.rebuiltBecause == .restored)
        try restored.readAnalytics { (context) throws(LedgerError) in
            let sessions = try? answers(context.connection, "SELECT session_id FROM session")
            if sessions != [first.text] { throw LedgerError.closed }
        }
    }
}
