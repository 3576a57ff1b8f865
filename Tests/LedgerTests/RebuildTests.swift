import EventStorage
import SQLite
import SessionDomain
import TestSupport
import Testing

@testable import CaptureLedger

@Suite struct RebuildTests {
    @Test func `F29 rebuilt three times, flow and delivery rows equal the live ones and nothing else changed`() throws {
        let temporary = try TemporaryLedger()
        var history = VariedHistory(temporary.ledger, seed: SeededRandom.seed(for: "rebuild"))
        repeat { try history.run(steps: 100) } while try !isVaried(temporary.ledger)
        let tables = ["flow", "delivery", "delivery_work", "attempt", "event", "event_commit", "receipt"]
        let before = try tables.map { try dump(temporary.ledger, $0) }
        #expect(before[0].count == history.sessions.count)
        for _ in 0..<3 {
            let report = try temporary.ledger.rebuild()
            #expect(report.events == Int64(before[4].count))
            #expect(report.projections == ["flow", "delivery", "analytics"])
            for (table, rows) in zip(tables, before) { #expect(try dump(temporary.ledger, table) == rows, "\(table)") }
            #expect(try isSound(temporary.ledger))
        }
        try history.run(steps: 20)
        #expect(try dump(temporary.ledger, "flow").count == history.sessions.count)
    }

    @Test func `tables whose rows come in no useful order, or too many of them, are rebuilt one by one`() throws {
        let temporary = try TemporaryLedger()
        var history = VariedHistory(temporary.ledger, seed: SeededRandom.seed(for: "rebuild one by one"))
        repeat { try history.run(steps: 100) } while try !isVaried(temporary.ledger)
        let before = try ["flow", "delivery"].map { try dump(temporary.ledger, $0) }
        for (rows, entries) in [(0, 200_000), (3, 200_000), (100_000, 0), (2, 1)] {
            let limits = ScratchLoad.Limits(waitingRows: rows, sortedEntries: entries)
            _ = try temporary.ledger.rebuild(limits) { () throws(LedgerError) in }
            #expect(try ["flow", "delivery"].map { try dump(temporary.ledger, $0) } == before)
            #expect(try isSound(temporary.ledger))
        }
    }

    /// Indexes are copied as they are: they have to hold what their tables hold.
    private func isSound(_ ledger: Ledger) throws -> Bool {
        try answers(try Connection(path: ledger.files.database, mode: .read), "PRAGMA integrity_check") == ["ok"]
    }

    private func isVaried(_ ledger: Ledger) throws -> Bool {
        let deliveries = try ledger.deliveries()
        return deliveries.count >= 20 && Set(deliveries.map(\.status)).count >= 3
    }

    @Test func `a rebuild mends rows that were altered or lost`() throws {
        let temporary = try TemporaryLedger()
        var history = VariedHistory(temporary.ledger, seed: 7)
        try history.run(steps: 120)
        let flow = try dump(temporary.ledger, "flow")
        let delivery = try dump(temporary.ledger, "delivery")
        #expect(!delivery.isEmpty)
        let foreign = try EventDatabase.openForWriting(temporary.ledger.files.database)
        try foreign.execute("UPDATE flow SET status = 'nonsense'; DELETE FROM delivery WHERE delivery_no % 2 = 0")
        #expect(try dump(temporary.ledger, "flow") != flow)
        _ = try temporary.ledger.rebuild()
        #expect(try dump(temporary.ledger, "flow") == flow)
        #expect(try dump(temporary.ledger, "delivery") == delivery)
    }

    @Test func `a reader sees the old rows or the new ones while a rebuild runs, and writers go on`() throws {
        let temporary = try TemporaryLedger()
        var history = VariedHistory(temporary.ledger, seed: 11)
        try history.run(steps: 80)
        let count = history.sessions.count
        let other = try temporary.reopened()
        defer { other.closeAndWait() }
        // A snapshot held open over the swap keeps the old rows.
        try other.read { (context) throws(LedgerError) in
            let snapshot = try translated { () throws(StorageError) in
                try stored { () throws(SQLiteError) in try Snapshot(context.connection) }
            }
            let before = try translated { () throws(StorageError) in try context.flows.counts().reduce(0) { $0 + $1.count } }
            _ = try temporary.ledger.rebuild()
            let after = try translated { () throws(StorageError) in try context.flows.counts().reduce(0) { $0 + $1.count } }
            if before != count || after != count { throw LedgerError.closed }
            _ = consume snapshot
        }
        let late = try other.start(StartRequest(configuration: configuration([.selfie]))).session
        _ = try temporary.ledger.rebuild()
        #expect(try temporary.ledger.session(late).flow.currentPiece == .selfie)
        #expect(try dump(other, "flow").count == count + 1)
    }

    @Test func `what is appended while a rebuild runs is in the rebuilt tables`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        var history = VariedHistory(ledger, seed: 13)
        try history.run(steps: 60)
        let other = try temporary.reopened()
        defer { other.closeAndWait() }
        var live: [[String]] = []
        _ = try ledger.rebuild { () throws(LedgerError) in
            let session = try other.start(StartRequest(configuration: configuration([.selfie]))).session
            _ = try other.capture(
                CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
            _ = try other.confirm(.selfie, in: session, CommandOptions())
            for known in history.sessions { _ = try? other.cancel(known, CommandOptions()) }
            live = (try? [dump(other, "flow"), dump(other, "delivery")]) ?? []
        }
        #expect(live.first?.count == history.sessions.count + 1)
        #expect(try [dump(ledger, "flow"), dump(ledger, "delivery")] == live)
    }

    @Test func `an empty ledger is rebuilt, and a reader may not rebuild`() throws {
        let temporary = try TemporaryLedger()
        #expect(try temporary.ledger.rebuild().events == 0)
        var options = LedgerOptions()
        options.isReadOnly = true
        let reader = try Ledger.open(folder: temporary.path, options: options)
        #expect { try reader.rebuild() } throws: { ($0 as? LedgerError)?.code.rawValue == "read_only" }
    }
}
