import Audit
import EventStorage
import Foundation
import SQLite
import TestSupport
import Testing
import Vault

/// Every byte of a ledger's files is either under what is verified, or its change is harmless: then everything that the ledger promises
/// still reads the same, and the byte lies beside the rows: in free space, or in a header's counter. Which of these, and what is read,
/// `Tests/oracle_pages.py` says. The databases have small pages here, so that a few thousand bytes hold every kind of page; `make soak`
/// takes every byte of the whole database, and files as the product makes them.
@Suite struct ByteFlipTests {
    private static let isSoak = ProcessInfo.processInfo.environment["CAPTURE_LEDGER_SOAK_SECONDS"] != nil

    /// One other value for every byte, which the seed chooses.
    private static func values(_ image: [UInt8], seed: UInt64) -> @Sendable (Int) -> [UInt8] {
        { offset in
            var random = SeededRandom(seed: seed &+ UInt64(offset))
            return [image[offset] ^ UInt8.random(in: 1...255, using: &random)]
        }
    }

    /// Of the whole ledger, its keys and originals with it.
    @Sendable private static func wholeVerifier(_ folder: String) throws -> FlipBench.Verifier {
        let vault = try Vault.open(folder: folder, masterKey: FlipBench.masterKey, isReadOnly: true)
        let files = try SealedFiles(ledger: folder)
        return {
            try LedgerVerifier(
                EventDatabase.openForReading(folder + "/ledger.sqlite", mode: .immutable), files: files, vault: vault
            ).verify()
        }
    }

    /// Opens the keys each time.
    @Sendable private static func keysVerifier(_ folder: String) throws -> FlipBench.Verifier {
        {
            let vault = try Vault.open(folder: folder, masterKey: FlipBench.masterKey, isReadOnly: true)
            return try LedgerVerifier(
                EventDatabase.openForReading(folder + "/ledger.sqlite", mode: .immutable), files: nil, vault: vault
            ).verify()
        }
    }

    private func expectHarmless(_ outcome: FlipBench.Outcome, _ bench: FlipBench, _ what: String) throws {
        let judgement = try bench.judge(outcome.harmless, what)
        #expect(judgement.changed == [], "nobody noticed:\n\(judgement.details)")
        #expect(judgement.inside == [], "nobody noticed:\n\(judgement.details)")
        print(
            "\(outcome.flips) flips: \(outcome.namedCount) named \(outcome.named), \(outcome.harmless.count) in \(judgement.kinds)"
        )
    }

    @Test func `F30 every byte of the table of events is named when it is flipped, or lies beside the rows`() throws {
        // a private half that needs pages of its own
        let ledger = try SmallLedger(sessions: 2, mediaBytes: 100, personal: String(repeating: "a name ", count: 200))
        try ledger.sign()
        let bench = try FlipBench(ledger, file: "ledger.sqlite", pageBytes: Self.isSoak ? nil : 1024)
        let (pages, bytes) = (try bench.pages(of: "event"), Self.isSoak ? 8192 : 1024)
        #expect(
            pages.keys.sorted() == ["event: interior of a table", "event: leaf of a table", "event: overflow"] || Self.isSoak)
        let offsets = pages.values.joined().sorted().flatMap { ($0 - 1) * bytes..<$0 * bytes }
        let seed = SeededRandom.seed(for: "byte flips in events")
        let outcome = try bench.run(
            offsets, values: Self.values(bench.image, seed: seed), makeVerifier: Self.wholeVerifier)
        #expect(outcome.flips == offsets.count && outcome.namedCount > 3000)
        try expectHarmless(outcome, bench, "LEDGER")
    }

    /// Found by a soak: SQLite's own check compared the number with what lay behind the entry in memory, and found what it looked for.
    @Test func `F30 an index of the sessions that leads to another number is named`() throws {
        let ledger = try SmallLedger(sessions: 2, mediaBytes: 100)
        try ledger.sign()
        let bench = try FlipBench(ledger, file: "ledger.sqlite", pageBytes: 1024)
        // a record of three bytes of types: its own, sixteen bytes, and the number 0 or 1 without any
        let head: [UInt8] = [3, 0x2C]
        let types = bench.image.indices.dropFirst(2).filter { at in
            Array(bench.image[at - 2..<at]) == head && (8...9).contains(bench.image[at])
        }
        #expect(types.count == 2)
        let outcome = try bench.run(types, values: { _ in Array(1...6) }, makeVerifier: Self.wholeVerifier)
        #expect(outcome.flips == 12 && outcome.namedCount == 12, "not named: \(outcome.harmless.count)")
        // without SQLite's check, whose answer depends on that memory
        let path = bench.path + "-misled"
        var misled: [Int64] = []
        for at in [nil] + types.map(Optional.some) {
            var image = bench.image
            if let at { image[at] = 1 }
            try Data(image).write(to: URL(filePath: path))
            let list = try Statement(
                EventDatabase.openForReading(path, mode: .immutable), LedgerVerifier.misledSessionsQuery)
            // a number of one byte is then read from the end of the record, which is the id's last one
            let number = at.map { bench.image[$0] - 8 }
            let isMisled = at.map { bench.image[$0 + 16] != number } ?? false
            #expect(try list.step() == isMisled)
            if isMisled { misled.append(list.int64(0)) }
        }
        #expect(misled == [0])
        try FileManager.default.removeItem(atPath: path)
    }

    @Test func `F30 a flipped byte anywhere in the database is named or changes nothing that is promised`() throws {
        let ledger = try SmallLedger(sessions: 2, mediaBytes: 100)
        try ledger.sign()
        let bench = try FlipBench(ledger, file: "ledger.sqlite", pageBytes: 1024)
        let seed = SeededRandom.seed(for: "byte flips")
        var random = SeededRandom(seed: seed)
        let sample = Set(0..<100).union((0..<700).map { _ in Int.random(in: 0..<bench.image.count, using: &random) })
        let outcome = try bench.run(
            Self.isSoak ? Array(bench.image.indices) : sample.sorted(), values: Self.values(bench.image, seed: seed),
            makeVerifier: Self.wholeVerifier)
        try expectHarmless(outcome, bench, "LEDGER")
    }

    @Test func `F30 every byte of the keys' file is named when it is flipped, or changes no key and no guard`() throws {
        let ledger = try SmallLedger(sessions: 2, mediaBytes: 100)
        try ledger.sign()
        let bench = try FlipBench(ledger, file: "keys/keys.sqlite", pageBytes: Self.isSoak ? nil : 512)
        let seed = SeededRandom.seed(for: "byte flips in keys")
        let outcome = try bench.run(
            Array(bench.image.indices), values: Self.values(bench.image, seed: seed), makeVerifier: Self.keysVerifier)
        #expect(outcome.named["key_unreadable"] ?? 0 > 100)
        try expectHarmless(outcome, bench, "KEYS")
    }

    @Test(arguments: [false, true])
    func `F30 every flipped byte of an original is named with its position`(withKeys: Bool) throws {
        let ledger = try SmallLedger(sessions: 1, mediaBytes: Self.isSoak && !withKeys ? 70_000 : 100)
        let bench = try FlipBench(ledger, file: ledger.mediaName(1))
        let image = bench.image
        let bits: @Sendable (Int) -> [UInt8] = { offset in (0..<8).map { image[offset] ^ 1 << $0 } }
        let once = Self.values(image, seed: SeededRandom.seed(for: "byte flips in media"))
        let outcome = try bench.run(Array(image.indices), values: image.count > 1_000 ? once : bits) { folder in
            let vault = try Vault.open(folder: folder, masterKey: FlipBench.masterKey, isReadOnly: true)
            let connection = try EventDatabase.openForReading(folder + "/ledger.sqlite", mode: .immutable)
            let files = try SealedFiles(ledger: folder)
            return {
                let report = try LedgerVerifier(connection, files: files, vault: withKeys ? vault : nil).verify()
                #expect(report.problems.allSatisfy { $0.position == 2 })
                return report
            }
        }
        #expect(outcome.harmless.isEmpty && outcome.named["media_altered"] == outcome.flips)
        print("\(outcome.flips) flips of an original of \(image.count) bytes, all named \(outcome.named)")
    }

    @Test func `a swapped original is named with its position`() throws {
        let ledger = try SmallLedger(sessions: 2)
        let (first, second) = (ledger.mediaPath(1), ledger.mediaPath(2))
        let aside = ledger.folder + "/aside"
        for (from, to) in [(first, aside), (second, first), (aside, second)] {
            try FileManager.default.moveItem(atPath: from, toPath: to)
        }
        #expect(try ledger.verify(withKeys: false).problems.map(\.position) == [2, 5])
        #expect(try Set(ledger.verify(withKeys: false).problems.map(\.code.rawValue)) == ["media_altered"])
    }

    @Test(arguments: [
        // taken out, with the numbers after it moved up
        """
        DELETE FROM event WHERE position = 3; UPDATE event SET position = position - 1 WHERE position > 3;
        UPDATE event_commit SET first_position = first_position - 1 WHERE first_position > 3;
        UPDATE event_commit SET last_position = last_position - 1 WHERE last_position >= 3
        """,
        // two that changed places
        """
        UPDATE event SET position = 99 WHERE position = 2; UPDATE event SET position = 2 WHERE position = 3;
        UPDATE event SET position = 3 WHERE position = 99
        """,
        // put in
        """
        UPDATE event SET position = -position WHERE position > 3; UPDATE event SET position = 1 - position WHERE position < 0;
        INSERT INTO event SELECT 4, session_no, version + 1, event_id, type, schema_version, recorded_at_ms, occurred_at_ms,
            flags, command_id, correlation_id, causation_position, actor, piece, capture_id, source, outcome, reason,
            duration_ms, facts, private FROM event WHERE position = 3;
        UPDATE event_commit SET last_position = last_position + 1000 WHERE last_position >= 3;
        UPDATE event_commit SET last_position = last_position - 999 WHERE last_position > 1000;
        UPDATE event_commit SET first_position = first_position + 1 WHERE first_position > 3
        """,
    ])
    func `an event that was taken out, moved or put in is named with its position`(sql: String) throws {
        let ledger = try SmallLedger(sessions: 3)
        try ledger.sign()
        try ledger.tamper(sql)
        let problems = try ledger.verify(withKeys: false).problems
        let positions = problems.filter { $0.code == .chainBroken }.compactMap(\.position)
        #expect(positions.first == 2, "\(problems)")
        #expect(problems.contains { $0.code == .checkpointWrong || $0.code == .logTruncated })
    }
}
