import Cryptography
import EventCoding
import EventStorage
import SQLite
import SessionDomain
import TestSupport
import Testing

/// The bytes that `docs/storage-format.md` promises, computed here a second time.
@Suite struct ChainTests {
    @Test func `the canonical bytes of a row and the chain over it are those computed by hand`() throws {
        let store = try Store()
        _ = try store.writer.begin()
        let session = SessionID(Store.id(0x0B))
        let number = try store.writer.insertSession(session, keyNumber: 1)
        try store.writer.append(
            NewEvent(
                eventID: Store.id(0x0C),
                encoded: EncodedEvent(
                    type: 5, schemaVersion: 1, piece: 1, captureID: Store.id(0x0D), source: 2, outcome: nil, reason: "",
                    durationMilliseconds: .min, facts: #"{"a":1}"#),
                occurredAtMilliseconds: -1, flags: .storeClockBehind, commandID: "c-1", correlationID: nil,
                causationPosition: nil, actor: "kiosk ü", sealed: [0, 255]),
            session: session, number: number, version: 1, recordedAtMilliseconds: 1_790_000_000_123)
        try store.writer.append(
            NewEvent(
                eventID: Store.id(0x0A),
                encoded: EncodedEvent(
                    type: 999, schemaVersion: 7, piece: nil, captureID: nil, source: nil, outcome: nil, reason: nil,
                    durationMilliseconds: nil, facts: "{}"),
                occurredAtMilliseconds: nil, flags: [], commandID: nil, correlationID: nil, causationPosition: nil, actor: nil,
                sealed: nil),
            session: session, number: number, version: 2, recordedAtMilliseconds: 1_790_000_000_124)
        try store.writer.commit(atMilliseconds: 1_790_000_000_125)

        #expect(
            CommitChain.beginning(ledgerID: Store.ledgerID).hex
                == "ea95fe7009d2d1dd4333fa0540daa49d7263f0336b8d2af5b1c64ca3da8e02b5")
        #expect(
            try rows(store.connection, "SELECT lower(hex(chain)) FROM event_commit")
                == ["af5653b7caf3aaf785fdce27201afd413f66215443509d83da1ca8a10f85837d"])

        let statement = try Statement(store.connection, "SELECT * FROM event WHERE position = 1")
        _ = try statement.step()
        var row = RowBytes()
        statement.appendRow(to: &row, columns: 0..<21, replaced: 1, with: session.uuid.bytes)
        #expect(
            Hex.text(row.bytes)
                == "01000000000000000103000000100102030405067000800000000000000b010000000000000001030000001001020304050670008000"
                + "00000000000c01000000000000000501000000000000000101000001a0c4506c7b01ffffffffffffffff010000000000000002020000"
                + "0003632d31000002000000086b696f736b20c3bc01000000000000000103000000100102030405067000800000000000000d01000000"
                + "000000000200020000000001800000000000000002000000077b2261223a317d030000000200ff")
    }

    @Test func `the chain is that of the stored rows, over random commits and several writers`() throws {
        var random = SeededRandom(seed: SeededRandom.seed(for: "chain"))
        let store = try Store()
        let second = try EventWriter(try EventDatabase.openForWriting(store.path), ledgerID: Store.ledgerID)
        for _ in 0..<20 {
            let count = Int.random(in: 1...12, using: &random)
            let session = try store.addSession(events: count, at: Store.now + Int64.random(in: 0...1_000, using: &random))
            guard random.one(in: 2) else { continue }
            // another writer on a connection of its own goes on where the first one ended
            #expect(try second.begin().othersWrote)
            let row = try #require(try EventReader(second.connection).session(number: session))
            try second.append(
                NewEvent(
                    eventID: Store.id(UInt64.random(in: 0x10000...0xFFFFF, using: &random)),
                    encoded: EncodedEvent(
                        type: 3, schemaVersion: 1, piece: nil, captureID: nil, source: nil, outcome: nil, reason: nil,
                        durationMilliseconds: nil, facts: "{}"),
                    occurredAtMilliseconds: nil, flags: [], commandID: nil, correlationID: nil, causationPosition: nil,
                    actor: nil, sealed: [UInt8](repeating: 7, count: Int.random(in: 0...40, using: &random))),
                session: row.id, number: session, version: Int64(count) + 1, recordedAtMilliseconds: Store.now)
            try second.commit(atMilliseconds: Store.now + 1)
            #expect(try store.writer.begin().othersWrote)
            store.writer.rollback()
        }
        #expect(
            try recomputed(store)
                == (try rows(store.connection, "SELECT lower(hex(chain)) FROM event_commit ORDER BY 1 + last_position")))
        #expect(
            try number(store.connection, "SELECT count(*) FROM event")
                == (try number(store.connection, "SELECT max(position) FROM event")))
    }

    @Test func `a transaction that was rolled back leaves no position, no session number and no link behind`() throws {
        let store = try Store()
        try store.addSession(events: 2)
        _ = try store.writer.begin()
        let lost = try store.writer.insertSession(SessionID(Store.id(0xFFFF)), keyNumber: store.writer.nextKeyNumber)
        store.writer.rollback()
        let next = try store.addSession(events: 1)
        #expect(next == lost)
        #expect(try rows(store.connection, "SELECT position FROM event ORDER BY position") == ["1", "2", "3"])
        #expect(
            try recomputed(store)
                == (try rows(store.connection, "SELECT lower(hex(chain)) FROM event_commit ORDER BY 1 + last_position")))
    }

    /// Read with the file format alone: quoted values and integers, no code of the append path.
    private func recomputed(_ store: Store) throws -> [String] {
        let names =
            "position, session_id, version, event_id, type, schema_version, recorded_at_ms, occurred_at_ms, flags, command_id, "
            + "correlation_id, causation_position, actor, piece, capture_id, source, outcome, reason, duration_ms, facts, private"
        let list = names.split(separator: ", ").map(String.init)
        let fields = list.map { "typeof(\($0)), CASE typeof(\($0)) WHEN 'integer' THEN \($0) ELSE hex(\($0)) END" }
        let events = try Statement(
            store.connection,
            "SELECT \(fields.joined(separator: ", ")) FROM event JOIN session USING (session_no) ORDER BY position")
        var leaves: [[UInt8]] = []
        while try events.step() {
            var bytes: [UInt8] = [0]
            for column in 0..<Int32(list.count) {
                switch events.text(2 * column) {
                case "null": bytes.append(0)
                case "integer": bytes += [1] + big(UInt64(bitPattern: events.int64(2 * column + 1)), 8)
                case let type:
                    let content = try #require(Hex.bytes(events.text(2 * column + 1)))
                    bytes += [type == "text" ? 2 : 3] + big(UInt64(content.count), 4) + content
                }
            }
            leaves.append(SHA256.digest(of: bytes).bytes)
        }
        let commits = try Statement(
            store.connection, "SELECT first_position, last_position, committed_at_ms FROM event_commit ORDER BY last_position")
        var chain = SHA256.digest(of: Array("capture-ledger chain v1".utf8) + Store.ledgerID.bytes).bytes
        var chains: [String] = []
        while try commits.step() {
            let (first, last) = (commits.int(0), commits.int(1))
            var bytes = [2] + chain + big(UInt64(first), 8) + big(UInt64(last), 8)
            bytes += big(UInt64(bitPattern: commits.int64(2)), 8) + leaves[(first - 1)..<last].joined()
            chain = SHA256.digest(of: bytes).bytes
            chains.append(Hex.text(chain))
        }
        return chains
    }

    private func big(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }
}
