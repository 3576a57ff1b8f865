import EventCoding
import EventStorage
import SQLite
import SessionDomain
import SystemCalls
import Testing

/// A database of events in a folder of its own, removed with it.
final class Store {
    static let ledgerID = id(0x0A)
    static let now: Int64 = 1_790_000_000_000

    let folder: String
    let connection: Connection
    let writer: EventWriter
    var path: String { folder + "/ledger.sqlite" }
    private var versions: [Int64: Int64] = [:]
    private var count: UInt64 = 0x100

    init() throws {
        folder = try FileSystem.makeTemporaryFolder()
        connection = try EventDatabase.create(
            at: folder + "/ledger.sqlite", ledgerID: Self.ledgerID, epoch: Self.ledgerID, codeNames: [],
            nowMilliseconds: Self.now)
        writer = try EventWriter(connection, ledgerID: Self.ledgerID)
    }

    deinit {
        for suffix in ["", "-wal", "-shm"] { _ = try? FileSystem.remove(path + suffix) }
        _ = try? FileSystem.removeFolder(folder)
    }

    static func id(_ number: UInt64) -> UUID128 {
        UUID128(high: 0x0102_0304_0506_7000, low: 0x8000_0000_0000_0000 | number)
    }

    /// Another connection, as another program would open it.
    func foreign() throws -> Connection { try Connection(path: path, mode: .write) }

    /// One commit with a session of `events` events.
    @discardableResult
    func addSession(events: Int, at time: Int64 = Store.now) throws -> Int64 {
        _ = try writer.begin()
        count += 1
        let number = try writer.insertSession(SessionID(Self.id(count)), keyNumber: writer.nextKeyNumber)
        for _ in 0..<events { try append(session: number, at: time) }
        try writer.commit(atMilliseconds: time)
        return number
    }

    @discardableResult
    func append(session number: Int64, type: EventType = .sessionSuspended, at time: Int64 = Store.now) throws -> Int64 {
        count += 1
        versions[number, default: 0] += 1
        let encoded = EncodedEvent(
            type: type.code, schemaVersion: 1, piece: nil, captureID: nil, source: nil, outcome: nil, reason: nil,
            durationMilliseconds: nil, facts: #"{"number":\#(count)}"#)
        let row = try #require(try EventReader(connection).session(number: number))
        return try writer.append(
            NewEvent(
                eventID: Self.id(count), encoded: encoded, occurredAtMilliseconds: nil, flags: [], commandID: nil,
                correlationID: nil, causationPosition: nil, actor: nil, sealed: nil),
            session: row.id, number: number, version: versions[number] ?? 0, recordedAtMilliseconds: time)
    }
}

/// Every row of a query, with each value as SQLite's own literal.
func rows(_ connection: Connection, _ sql: String) throws -> [String] {
    let statement = try Statement(connection, sql)
    var rows: [String] = []
    while try statement.step() { rows.append(statement.text(0)) }
    return rows
}

func number(_ connection: Connection, _ sql: String) throws -> Int64 {
    let statement = try Statement(connection, sql)
    _ = try #require(try statement.step())
    return statement.int64(0)
}

func removeFile(_ path: String) throws -> Bool { try FileSystem.remove(path) }
