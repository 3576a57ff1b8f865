import EventStorage
import SQLite
import SessionDomain
import SystemCalls
import TestSupport
import Testing
import Vault

@testable import CaptureLedger

extension RandomLedger {
    /// The projections row by row, as SQLite writes their values.
    func tables() throws -> [String] {
        let connection = try Connection(path: path + "/ledger.sqlite", mode: .read)
        return try ["flow", "delivery"].flatMap { table in
            let columns = try Statement(
                connection, "SELECT group_concat('quote(' || name || ')', '||'' ''||') FROM pragma_table_info('\(table)')")
            _ = try #require(try columns.step())
            let rows = try Statement(connection, "SELECT '\(table) ' || \(columns.text(0)) FROM \(table) ORDER BY 1")
            var found: [String] = []
            while try rows.step() { found.append(rows.text(0)) }
            return found
        }
    }

    /// Everything that is promised, asked of one handle.
    func check() throws {
        try checkMedia()
        try checkPrivateHalves()
        try checkSessions()
        let report = try ledger.verify()
        #expect(report.problems == [])
        #expect(
            Int(report.openedMedia) == model.media.count { !model.erased.contains($1.session) && !model.purged.contains($0) })
    }

    /// Nothing erased or purged is there; everything else opens, with the digest of the file that was taken in; nothing is left over.
    private func checkMedia() throws {
        let ledger = ledger
        var expected: Set<String> = []
        for (capture, media) in model.media {
            let number = try keyNumber(media.session, ledger)
            if model.erased.contains(media.session) {
                #expect(try ledger.keys.keyState(number) == .destroyed)
                #expect(try !ledger.keys.exists(.media, ObjectID(capture.uuid)))
                continue
            }
            let key = try ledger.keys.sessionKey(number)
            if model.purged.contains(capture) {
                #expect(try !ledger.keys.exists(.media, ObjectID(capture.uuid)))
                continue
            }
            expected.insert(capture.text)
            #expect(try ledger.keys.read(.media, ObjectID(capture.uuid), key: key).verify().bytes == media.sha256)
        }
        let there = try tree(path + "/media").compactMap { $0.split(separator: "/").last.map(String.init) }
        #expect(Set(there) == expected)
    }

    private func checkPrivateHalves() throws {
        let ledger = ledger
        for session in model.sessions {
            let number = try keyNumber(session, ledger)
            let events = try ledger.read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in
                    guard let row = try context.events.session(session) else { return [StoredEvent]() }
                    return try context.events.events(ofSession: row.number)
                }
            }
            for event in events where event.sealed != nil {
                let opened = ledger.secret(of: event, session: session, keyNumber: number)
                #expect((opened == nil) == model.erased.contains(session))
            }
        }
    }

    /// Two handles, one that has been writing and one that has just been opened, say the same of every session.
    private func checkSessions() throws {
        let fresh = try open()
        defer { fresh.closeAndWait() }
        for session in model.sessions {
            let (live, read) = (try ledger.session(session).flow, try fresh.session(session).flow)
            #expect(live == read)
            #expect((live.status == .erased) == model.erased.contains(session))
        }
    }

    private func keyNumber(_ session: SessionID, _ ledger: Ledger) throws -> Int64 {
        let row = try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.session(session) }
        }
        return try #require(row?.keyNumber)
    }

    /// The end: rebuilt tables are the live ones, the verifier is content, and so is the oracle about the files left behind.
    func finish() throws {
        try rebuild()
        try lookAfter()
        try check()
        for handle in handles { handle.closeAndWait() }
        handles = []
        deliveries = nil
        try Oracle.findsNothingWrong(path, erased: model.erased.map(\.text))
    }
}
