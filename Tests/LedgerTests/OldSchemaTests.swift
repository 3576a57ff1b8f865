import DeliveryMachine
import EventStorage
import Glibc
import SQLite
import SessionDomain
import SystemCalls
import Testing

@testable import CaptureLedger

/// Ledgers that versions 1 and 2 of the schema made: verified, waiting, erased, a destination paused by a person and one by the machine.
@Suite struct OldSchemaTests {
    private static let kept = [
        "event", "event_commit", "session", "receipt", "private_lookup", "configuration", "flow", "delivery", "delivery_work",
        "attempt", "erasure",
    ]

    @Test func `a ledger of schema 1 opens only after it was brought forward, and its data is untouched`() throws {
        let old = try OldLedger()
        try Oracle.findsNothingWrong(old.path)
        var reading = LedgerOptions()
        reading.isReadOnly = true
        for options in [LedgerOptions(), reading] {
            #expect { _ = try Ledger.open(folder: old.path, options: options) } throws: {
                guard let error = $0 as? LedgerError else { return false }
                return error.code.rawValue == "needs_migration" && error.message.contains("0002_delivery")
            }
        }
        let before = try old.rows(of: Self.kept)
        #expect(try Ledger.pendingMigrations(old.files) == ["0002_delivery", "0003_proof"])
        #expect(try old.version() == 1)
        #expect(try Ledger.migrate(old.path, nowMilliseconds: 1_800_000_000_000) == ["0002_delivery", "0003_proof"])
        #expect(try old.version() == 3)
        #expect(try old.rows(of: Self.kept) == before)
        #expect(try Ledger.migrate(old.path, nowMilliseconds: 1_800_000_000_001) == [])
        try Oracle.findsNothingWrong(old.path)

        let ledger = try Ledger.open(folder: old.path)
        #expect(
            try ledger.pauses().map { "\($0.destination) \($0.pause.reason.rawValue)" }.sorted() == [
                "hologram by_operator", "verifier endpoint_refuses",
            ])
        #expect(try ledger.deliveries().map(\.status) == [.verified, .verified, .waiting, .verified, .waiting])
        // what is new works on what is old
        let waiting = try #require(try ledger.deliveries().last)
        try ledger.pauseDeliveries(of: waiting.session)
        #expect(try ledger.events(after: 0).last?.type == "session_deliveries_paused")
        let rebuilt = try old.rows(of: ["flow", "delivery"])
        _ = try ledger.rebuild()
        #expect(try old.rows(of: ["flow", "delivery"]) == rebuilt)
        ledger.closeAndWait()
        try Oracle.findsNothingWrong(old.path)
    }

    @Test func `F6 a ledger of schema 2 is brought forward untouched, goes on, and moves as rows`() throws {
        let old = try OldLedger(schema: 2)
        try Oracle.findsNothingWrong(old.path)
        let tables = Self.kept + ["session_pause", "clock_anchor", "destination_state"]
        let before = try old.rows(of: tables)
        #expect(try old.version() == 2)
        #expect { _ = try Ledger.open(folder: old.path) } throws: { ($0 as? LedgerError)?.code.rawValue == "needs_migration" }
        #expect(try Ledger.migrate(old.path, nowMilliseconds: 1_800_000_000_000) == ["0003_proof"])
        #expect(try old.rows(of: tables) == before)
        let ledger = try Ledger.open(folder: old.path)
        let first = try #require(try ledger.events(after: 0).first?.session)
        #expect(try ledger.session(first).flow.status == .completed)
        #expect(try ledger.session(first, asOf: .version(5)).flow.status == .active)
        #expect(try ledger.deliveries().map(\.status) == [.verified, .verified, .withdrawn, .waiting, .waiting])
        // one may be sent; the other's session is paused
        let queue = LedgerDeliveryQueue(ledger)
        let claims = try queue.claim(
            [ClaimQuota(destination: DestinationName("verifier"), limit: 5)], nowMilliseconds: 1_900_000_000_000)
        #expect(claims.count == 1)
        try queue.release(claims)
        let flows = try old.rows(of: ["flow", "delivery"])
        _ = try ledger.rebuild()
        #expect(try old.rows(of: ["flow", "delivery"]) == flows)
        #expect(try ledger.verify().isSound)
        _ = try ledger.export(to: old.folder + "/old.rows")
        let imported = try Ledger.importRows(from: old.folder + "/old.rows", to: old.folder + "/imported")
        #expect(imported.position == 23 && imported.erasedAgain == 0)
        ledger.closeAndWait()
        try Oracle.findsNothingWrong(old.path)
        let restored = try Ledger.restore(from: old.backup, to: old.folder + "/restored", options: old.restoring)
        #expect(restored.position == 23 && restored.media == 4)
    }

    @Test func `who dies while a ledger is brought forward leaves schema 1, and the next one brings it forward`() async throws {
        let old = try OldLedger()
        let before = try old.rows(of: Self.kept)
        let path = old.path
        await #expect(processExitsWith: .signal(9)) { [path = path as String] in
            let connection = try Connection(path: path + "/ledger.sqlite", mode: .write)
            try connection.execute("BEGIN IMMEDIATE")
            for statement in [
                "ALTER TABLE destination_state ADD COLUMN breaker_until_ms INTEGER", "CREATE TABLE session_pause (a)",
            ] {
                try connection.execute(statement)
            }
            // more than the cache holds: pages of the unfinished transaction are in the log
            try connection.execute("PRAGMA cache_size = 1; UPDATE flow SET phase = phase || ''; PRAGMA cache_spill = 1")
            _ = kill(getpid(), SIGKILL)
        }
        #expect(try old.version() == 1)
        #expect(try old.rows(of: Self.kept) == before)
        #expect(try Ledger.migrate(old.path, nowMilliseconds: 1_800_000_000_000) == ["0002_delivery", "0003_proof"])
        #expect(try old.rows(of: Self.kept) == before)
        try Oracle.findsNothingWrong(old.path)
    }

    @Test func `a backup of schema 1 is restored, brought forward, and backed up again`() throws {
        let old = try OldLedger()
        let report = try Ledger.restore(from: old.backup, to: old.folder + "/restored", options: old.restoring)
        #expect(report.position == 22 && report.media == 4)
        let connection = try EventDatabase.openForReading(report.folder + "/ledger.sqlite")
        let schema = try Migrator.schema(of: connection)
        #expect((schema.version, schema.reader, schema.writer) == (3, 1, 3))
        try old.name(in: report.folder)
        let restored = try Ledger.open(folder: report.folder)
        let again = try restored.backup(to: old.folder + "/again.backup")
        #expect(again.position == 23)
        restored.closeAndWait()
        let second = try Ledger.restore(from: old.folder + "/again.backup", to: old.folder + "/second", options: old.restoring)
        #expect(second.position == 23)
    }
}

/// The fixture, unpacked in a folder of its own.
private final class OldLedger {
    let folder: String
    var path: String { folder + "/my.ledger" }
    var files: LedgerFiles { LedgerFiles(folder: path) }
    var backup: String { folder + "/schema-\(schema).backup" }
    let restoring: RestoreOptions
    private let schema: Int

    init(schema: Int = 1) throws {
        self.schema = schema
        folder = try FileSystem.makeTemporaryFolder()
        try write(String(repeating: schema == 1 ? "5" : "6", count: 64) + "\n", folder + "/master.key")
        let erased =
            schema == 1
            ? #"{"erased_at_ms":1796031520317,"key_no":3,"session_id":"01a22bd1-e965-7e4f-a7d3-f02a2d66d9a3"}"#
            : #"{"erased_at_ms":1796057140740,"key_no":2,"session_id":"01a22d59-0d59-75c0-bcc9-8f503239379a"}"#
        try write(erased + "\n", folder + "/tombstones.jsonl")
        var options = RestoreOptions()
        options.masterKey = MasterKeyReference(folder + "/master.key")
        options.tombstones = folder + "/tombstones.jsonl"
        restoring = options
        try run(
            "gunzip -c '\(fixture("ledgers/schema-\(schema).backup.gz"))' > schema-\(schema).backup && mkdir -m 700 my.ledger && tar xf schema-\(schema).backup -C my.ledger"
        )
        try name(in: path)
    }

    deinit { try? removeTree(folder) }

    /// Has the settings name this folder's master key.
    func name(in ledger: String) throws {
        try run(
            "sed -i 's#master_key: .*#master_key: \"\(folder)/master.key\",#; s#tombstones: .*#tombstones: \"\(folder)/tombstones.jsonl\",#' '\(ledger)/capture-ledger.json5'"
        )
    }

    private func run(_ script: String) throws {
        let done = try ChildProcess.run(
            path: "/bin/sh", arguments: ["sh", "-c", "cd '\(folder)' && \(script)"], limitMilliseconds: 30_000,
            outputLimit: 1 << 16)
        #expect(done.end == .exited(0))
    }

    func version() throws -> Int { try Migrator.schema(of: try EventDatabase.openForReading(files.database)).version }

    func rows(of tables: [String]) throws -> [[String]] {
        let connection = try EventDatabase.openForReading(files.database)
        return try tables.map { table in
            var columns: [String] = []
            let info = try Statement(connection, "SELECT name FROM pragma_table_info('\(table)')")
            while try info.step() { columns.append("quote(\(info.text(0)))") }
            let statement = try Statement(
                connection, "SELECT \(columns.joined(separator: "||','||")) FROM \(table) ORDER BY 1")
            var rows: [String] = []
            while try statement.step() { rows.append(statement.text(0)) }
            return rows
        }
    }
}

private func write(_ text: String, _ path: String) throws {
    let file = try FileDescriptor(opening: path, .createNew)
    try file.write(Array(text.utf8).span)
}
