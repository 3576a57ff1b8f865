import Audit
import EventStorage
import Foundation
import SQLite
import TestSupport
import Testing
import Vault

/// Every byte of a ledger's files is either under what is verified, or its change is harmless: then everything that the ledger promises
/// still reads the same. It is harmless in free pages and between cells, in counters of the header that nobody compares, and in what
/// is derived from the events or is no promise at all.
@Suite struct ByteFlipTests {
    /// What `audit verify` promises, by the tables that hold it.
    private static let promised = [
        "SELECT * FROM event ORDER BY position", "SELECT * FROM event_commit ORDER BY last_position",
        "SELECT * FROM session ORDER BY session_no", "SELECT digest, json FROM configuration ORDER BY digest",
        "SELECT ledger_id, epoch FROM ledger", "SELECT level, tile_no, hashes FROM tree_tile ORDER BY level, tile_no",
        "SELECT generation, public_key, endorsement FROM signing_key ORDER BY generation",
        "SELECT * FROM checkpoint ORDER BY tree_size", "SELECT position FROM event ORDER BY session_no, version",
        "SELECT session_no FROM session ORDER BY session_id", "SELECT version, sha256, reader, writer FROM migration",
    ]
    private static let keys = [
        "SELECT key_no, state, wrapped FROM session_key ORDER BY key_no", "SELECT name, wrapped FROM ledger_key ORDER BY name",
    ]

    private func read(_ path: String, _ queries: [String]) throws -> [String] {
        let connection = try Connection(path: path, mode: .immutable)
        var rows: [String] = []
        for query in queries {
            let statement = try Statement(connection, query)
            let columns = Int32(query.prefix { $0 != "F" }.contains("*") ? 21 : 3)
            while try statement.step() {
                rows.append((0..<columns).map { statement.optionalBlob($0).map { "\($0)" } ?? "-" }.joined(separator: "|"))
            }
        }
        return rows
    }

    /// - Returns: how many of the flips were harmless.
    private func flip(
        _ path: String, offsets: some Sequence<Int>, _ random: inout SeededRandom, queries: [String],
        verify: () throws -> VerificationReport
    ) throws -> (named: Int, harmless: Int) {
        let before = try read(path, queries)
        let file = try FileHandle(forUpdating: URL(filePath: path))
        var (named, harmless) = (0, 0)
        for offset in offsets {
            try file.seek(toOffset: UInt64(offset))
            let byte = try #require(try file.read(upToCount: 1))[0]
            let flipped = byte ^ UInt8(1 << Int.random(in: 0..<8, using: &random))
            try file.seek(toOffset: UInt64(offset))
            try file.write(contentsOf: [flipped])
            // what cannot be opened is named by the error that says so
            let isSound = (try? verify())?.isSound ?? false
            if isSound {
                harmless += 1
                let after = try? read(path, queries)
                #expect(after == before, "byte \(offset) of \(path): \(byte) became \(flipped), and nobody noticed")
            } else {
                named += 1
            }
            try file.seek(toOffset: UInt64(offset))
            try file.write(contentsOf: [byte])
        }
        #expect(try verify().isSound)
        return (named, harmless)
    }

    @Test func `F30 a flipped byte of the database is named or changes nothing that is promised`() throws {
        let ledger = try SmallLedger(sessions: 2)
        try ledger.sign()
        let path = ledger.folder + "/ledger.sqlite"
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        let root = try Statement(ledger.connection, "SELECT rootpage FROM sqlite_schema WHERE name = 'event'")
        #expect(try root.step())
        let page = (root.int(0) - 1) * 8192
        root.reset()
        // where the rows begin: the header of a page says it (sqlite.org/fileformat.html, "B-tree pages")
        let image = try Data(contentsOf: URL(filePath: path))
        let cells = page + (Int(image[page + 5]) << 8 | Int(image[page + 6]))
        func verify() throws -> VerificationReport {
            try LedgerVerifier(EventDatabase.openForReading(path, mode: .immutable), files: nil, vault: nil).verify()
        }
        for seed in SeededRandom.seeds(for: "byte flips") {
            var random = SeededRandom(seed: seed)
            // the events' own page most of all, then everywhere
            let events = (0..<400).map { _ in Int.random(in: cells..<page + 8192, using: &random) } + Array(page..<page + 100)
            let inEvents = try flip(path, offsets: events, &random, queries: Self.promised, verify: verify)
            #expect(inEvents.named > 350)
            let anywhere = (0..<400).map { _ in Int.random(in: 0..<size, using: &random) } + Array(0..<100)
            let elsewhere = try flip(path, offsets: anywhere, &random, queries: Self.promised, verify: verify)
            print("named and harmless: \(inEvents) in the events' page, \(elsewhere) elsewhere")
        }
    }

    @Test func `F30 a flipped byte of the keys' file is named or changes no key`() throws {
        let ledger = try SmallLedger(sessions: 2)
        try ledger.sign()
        let path = ledger.folder + "/keys/keys.sqlite"
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        let master = try #require(MasterKey([UInt8](repeating: 7, count: 32)))
        var random = SeededRandom(seed: SeededRandom.seed(for: "byte flips in keys"))
        let offsets = (0..<300).map { _ in Int.random(in: 0..<size, using: &random) }
        let found = try flip(path, offsets: offsets, &random, queries: Self.keys) {
            let vault = try Vault.open(folder: ledger.folder, masterKey: master, isReadOnly: true)
            return try LedgerVerifier(
                EventDatabase.openForReading(ledger.folder + "/ledger.sqlite"), files: nil, vault: vault
            ).verify()
        }
        #expect(found.named > 20)
    }

    @Test func `F30 every flipped byte of an original is named with its position`() throws {
        let ledger = try SmallLedger(sessions: 1)
        let path = ledger.mediaPath(1)
        var random = SeededRandom(seed: SeededRandom.seed(for: "byte flips in media"))
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        let offsets = Array(0..<40) + (0..<60).map { _ in Int.random(in: 0..<size, using: &random) } + [size - 1]
        let found = try flip(path, offsets: offsets, &random, queries: []) {
            let report = try ledger.verify(withKeys: false)
            #expect(report.isSound || report.problems.map(\.position) == [2])
            return report
        }
        #expect(found.harmless == 0 && found.named == offsets.count)
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
