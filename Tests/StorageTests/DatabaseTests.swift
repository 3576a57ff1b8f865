import EventStorage
import SQLite
import Testing

@Suite struct DatabaseTests {
    @Test func `pages have 8192 bytes and the file says whose it is`() throws {
        let store = try Store()
        let foreign = try store.foreign()
        #expect(try number(foreign, "PRAGMA page_size") == 8192)
        #expect(try number(foreign, "PRAGMA application_id") == 0x434C_4447)
        #expect(try rows(foreign, "PRAGMA journal_mode") == ["wal"])
        #expect(
            try rows(
                foreign,
                "SELECT name FROM pragma_table_list WHERE strict = 0 AND schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'"
            ) == [])
    }

    @Test func `every writing connection is durable, leaves checkpoints alone and maps no memory`() throws {
        let store = try Store()
        for connection in [store.connection, try EventDatabase.openForWriting(store.path)] {
            #expect(try number(connection, "PRAGMA synchronous") == 2)
            #expect(try number(connection, "PRAGMA wal_autocheckpoint") == 0)
            #expect(try rows(connection, "PRAGMA mmap_size").allSatisfy { $0 == "0" })
            #expect(try number(connection, "PRAGMA secure_delete") == 1)
        }
        #expect { try EventDatabase.openForReading(store.path).execute("DELETE FROM flow") } throws: {
            ($0 as? SQLiteError)?.isReadOnly == true
        }
    }

    @Test func `a connection that closes leaves the write-ahead log as it is`() throws {
        let store = try Store()
        try store.addSession(events: 3)
        let before = try number(try EventDatabase.openForReading(store.path), "SELECT count(*) FROM event")
        do { _ = try number(try EventDatabase.openForWriting(store.path), "SELECT count(*) FROM event") }
        #expect(before == 3)
        // A second connection could only have emptied the log by a checkpoint; the first one still finds its pages there.
        #expect(try store.connection.checkpoint(.passive).logPages > 0)
    }

    @Test func `the store's time never decreases within a writer and after another one wrote`() throws {
        let store = try Store()
        try store.addSession(events: 1, at: 5_000)
        #expect(store.writer.recordingTime(wallClock: 4_000) == (5_000, true))
        #expect(store.writer.recordingTime(wallClock: 5_000) == (5_000, false))
        #expect(store.writer.recordingTime(wallClock: 6_000) == (6_000, false))
        let later = try EventWriter(try EventDatabase.openForWriting(store.path), ledgerID: Store.ledgerID)
        _ = try later.begin()
        #expect(later.recordingTime(wallClock: 1) == (5_000, true))
        later.rollback()
    }
}
