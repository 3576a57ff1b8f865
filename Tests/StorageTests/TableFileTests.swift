import Projections
import SystemCalls
import TestSupport
import Testing

@testable import SQLite

/// Tables that are put straight into a file, beside the same rows inserted by SQLite.
@Suite final class TableFileTests {
    private let folder: String
    private var names: Set<String> = []

    init() throws { folder = try FileSystem.makeTemporaryFolder() }

    deinit {
        for name in names {
            for suffix in ["", "-journal", "-wal", "-shm"] { _ = try? FileSystem.remove(path(name) + suffix) }
        }
        _ = try? FileSystem.removeFolder(folder)
    }

    private func path(_ name: String) -> String { folder + "/" + name }

    private static let tables = ["numbered", "keyed", "worded"]
    private static let schema = """
        CREATE TABLE numbered (no INTEGER NOT NULL PRIMARY KEY, text TEXT, real REAL, bytes BLOB, flag INTEGER) STRICT;
        CREATE TABLE keyed (first INTEGER NOT NULL, second INTEGER NOT NULL, text TEXT, PRIMARY KEY (first, second)) STRICT, WITHOUT ROWID;
        CREATE TABLE worded (day TEXT NOT NULL, what TEXT NOT NULL, edge REAL NOT NULL, n INTEGER, PRIMARY KEY (day, what, edge))
            STRICT, WITHOUT ROWID;
        """

    /// - Parameter pageSize: small ones make deep trees.
    private func make(_ name: String, pageSize: Int) throws -> Connection {
        names.insert(name)
        let connection = try Connection(path: path(name), mode: .create)
        try connection.execute("PRAGMA page_size = \(pageSize); PRAGMA synchronous = OFF; \(Self.schema)")
        return connection
    }

    private func load(_ name: String, pageSize: Int, _ rows: [String: PackedRows]) throws {
        let shapes = try { (connection) in try Self.tables.map { try TableShape($0, connection) } }(
            make(name, pageSize: pageSize))
        let file = try TableFile(path: path(name))
        let writers = shapes.map { TableWriter(file, $0) }
        for (table, writer) in zip(Self.tables, writers) {
            if let rows = rows[table] { try writer.append(rows) }
            try writer.finish()
        }
        try file.finish()
    }

    private func insert(_ name: String, pageSize: Int, _ rows: [String: PackedRows]) throws {
        let connection = try make(name, pageSize: pageSize)
        try connection.execute("BEGIN")
        for (table, places) in zip(Self.tables, ["?1, ?2, ?3, ?4, ?5", "?1, ?2, ?3", "?1, ?2, ?3, ?4"]) {
            if let rows = rows[table] { try Statement(connection, "INSERT INTO \(table) VALUES (\(places))").run(rows) }
        }
        try connection.execute("COMMIT")
    }

    private func read(_ name: String) throws -> [String] {
        let connection = try Connection(path: path(name), mode: .write)
        var found: [String] = []
        for sql in [
            "PRAGMA integrity_check",
            "SELECT no || quote(text) || quote(real) || quote(bytes) || quote(flag) || typeof(real) FROM numbered",
            "SELECT first || ' ' || second || quote(text) FROM keyed", "SELECT day || what || edge || quote(n) FROM worded",
        ] {
            let rows = try Statement(connection, sql)
            while try rows.step() { found.append(rows.text(0)) }
        }
        return found
    }

    private func random(_ count: Int, longest: Int, _ random: inout SeededRandom) -> [String: PackedRows] {
        func text(_ random: inout SeededRandom) -> String {
            let length =
                random.one(in: 12) ? Int.random(in: 0...longest, using: &random) : Int.random(in: 0...20, using: &random)
            return String((0..<length).map { _ in "aäb-€z9".randomElement(using: &random)! })
        }
        func number(_ random: inout SeededRandom) -> Int64 {
            let bits = Int.random(in: 0...63, using: &random)
            let value = Int64(bitPattern: random.next() >> UInt64(bits))
            return random.one(in: 3) ? ~value : value
        }
        let (numbered, keyed, worded) = (PackedRows(), PackedRows(), PackedRows())
        var no: Int64 = random.one(in: 2) ? -5_000_000_000 : 0
        var (first, second): (Int64, Int64) = (0, 0)
        for index in 0..<count {
            no += random.one(in: 5) ? Int64.random(in: 1...1 << 33, using: &random) : 1
            numbered.append(no)
            numbered.append(random.one(in: 4) ? nil : text(&random))
            numbered.append(random.one(in: 4) ? nil : Double(number(&random)) / 3)
            if random.one(in: 3) { numbered.append(words: random.next(), random.next()) } else { numbered.appendNull() }
            numbered.append(number(&random))
            if random.one(in: 3) {
                (first, second) = (first + Int64.random(in: 1...300, using: &random), 0)
            } else {
                second += Int64.random(in: 1...70_000, using: &random)
            }
            keyed.append(first)
            keyed.append(second)
            keyed.append(text(&random))
            worded.append("2026-\(100_000 + index / 40)")
            worded.append(["", "a", "ab", "b", "é"][index % 40 / 8])
            worded.append(Double(index % 8) - 3.5)
            worded.append(number(&random))
        }
        return ["numbered": numbered, "keyed": keyed, "worded": worded]
    }

    @Test func `tables filled in the file are those that SQLite fills, of every size and with long rows`() throws {
        let seed = SeededRandom.seed(for: "table file")
        var random = SeededRandom(seed: seed)
        for (index, count) in (Array(0...40) + [90, 200, 777, 3000, 12_000]).enumerated() {
            let pageSize = [512, 1024, 8192][index % 3]
            let rows = self.random(count, longest: index % 2 == 0 ? 40 : 5000, &random)
            try load("loaded\(index)", pageSize: pageSize, rows)
            try insert("inserted\(index)", pageSize: pageSize, rows)
            let read = try self.read("loaded\(index)")
            #expect(read.first == "ok", "\(count) rows, pages of \(pageSize)")
            #expect(try read == self.read("inserted\(index)"), "\(count) rows, pages of \(pageSize)")
        }
    }

    @Test func `a filled file takes rows by statement as any other, in the middle too`() throws {
        var random = SeededRandom(seed: 5)
        try load("grown", pageSize: 1024, self.random(900, longest: 3000, &random))
        let connection = try Connection(path: path("grown"), mode: .write)
        try connection.execute(
            """
            DELETE FROM keyed WHERE second % 3 = 0; UPDATE numbered SET text = text || text WHERE no % 2 = 0;
            INSERT INTO worded SELECT day, what || 'x', edge, n FROM worded; DELETE FROM numbered WHERE no % 5 = 1;
            """)
        #expect(try read("grown").first == "ok")
    }

    @Test func `a row that is not behind the one before it is refused`() throws {
        let (equal, before) = (PackedRows(), PackedRows())
        for (rows, keys) in [(equal, [7, 7]), (before, [7, 6])] {
            for key in keys {
                for value in [1, Int64(key)] { rows.append(value) }
                rows.append("text")
            }
        }
        for (name, rows) in [("equal", equal), ("before", before)] {
            #expect(throws: SQLiteError.self) { try load(name, pageSize: 512, ["keyed": rows]) }
        }
    }

    @Test func `only a plain database without spare pages is filled`() throws {
        let path = path("other")
        #expect(throws: SQLiteError.self) { try TableFile(path: path) }
        try FileSystem.replace(path, with: Array("a note".utf8), mode: 0o600)
        #expect(throws: SQLiteError.self) { try TableFile(path: path) }
        _ = try FileSystem.remove(path)
        try make("other", pageSize: 1024).execute("PRAGMA journal_mode = WAL")
        #expect(throws: SQLiteError.self) { try TableFile(path: path) }
    }

    @Test func `the page that SQLite keeps for its locks stays empty`() throws {
        _ = try make("large", pageSize: 65_536)
        let file = try TableFile(path: path("large"))
        let lockPage = 0x4000_0000 / 65_536 + 1
        var taken: [Int] = []
        while (taken.last ?? 0) < lockPage + 100 {
            let first = file.takePages(7)
            taken += first..<first + 7
        }
        #expect(!taken.contains(lockPage))
    }
}
