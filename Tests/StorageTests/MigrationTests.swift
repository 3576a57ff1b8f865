import Cryptography
import EventStorage
import SQLite
import SchemaFiles
import Testing

@Suite struct MigrationTests {
    @Test func `a migration's text is frozen`() {
        // Never edit a value here: a ledger that was made with the text remembers its digest and is refused with another.
        let frozen = [
            "0001_foundation": "f30dcb996e15e99f2ebe42af14ca32687f7836f21db7f12e7fb3d1ea2bc2fb00",
            "0002_delivery": "a6eae64c89fae78a832f1e36279546ed23f0766f9b91b196fcc47e698d5b2402",
            "0003_proof": "ce7f0243b5739d1b668f41c615272eb7fd69e2aacf5fc0c17966833b8f878d42",
        ]
        for migration in SchemaFiles.migrations {
            #expect(SHA256.digest(of: migration.sql).hex == frozen[migration.name], "\(migration.name)")
        }
        #expect(SchemaFiles.migrations.map(\.version) == Array(1...SchemaFiles.migrations.count))
    }

    @Test func `a database remembers the digests of its migrations and refuses another text`() throws {
        let store = try Store()
        let stored = try rows(store.connection, "SELECT lower(hex(sha256)) FROM migration ORDER BY version")
        #expect(stored == SchemaFiles.migrations.map { SHA256.digest(of: $0.sql).hex })
        try store.connection.execute("UPDATE migration SET sha256 = zeroblob(32) WHERE version = 1")
        for isWriting in [true, false] {
            #expect {
                _ = try isWriting ? EventDatabase.openForWriting(store.path) : EventDatabase.openForReading(store.path)
            } throws: {
                guard let error = $0 as? StorageError else { return false }
                return error.code == .changedMigration && error.message.contains("0001_foundation")
            }
        }
    }

    @Test func `a newer schema is refused by name with both versions, for writing or for reading as it says`() throws {
        let store = try Store()
        let newest = Migrator.current
        let next = newest + 1
        try store.connection.execute("INSERT INTO migration VALUES (\(next), '0099_later', zeroblob(32), 1, \(next), 0)")
        #expect {
            _ = try EventDatabase.openForWriting(store.path)
        } throws: {
            guard let error = $0 as? StorageError else { return false }
            return error.code == .newerSchema && error.message.contains("schema \(next)")
                && error.message.contains("knows \(newest)")
                && error.message.contains("written")
        }
        _ = try EventDatabase.openForReading(store.path)

        try store.connection.execute("UPDATE migration SET reader = \(next) WHERE version = \(next)")
        #expect {
            _ = try EventDatabase.openForReading(store.path)
        } throws: {
            guard let error = $0 as? StorageError else { return false }
            return error.code == .newerSchema && error.message.contains("\(next)") && error.message.contains("knows \(newest)")
                && error.message.contains("read;")
        }
        #expect(throws: StorageError.self) { try Migrator.apply(to: store.connection, nowMilliseconds: 1) }
    }

    @Test func `an older schema is told what would run, and a finished one nothing`() throws {
        let store = try Store()
        #expect(Migrator.pending(try Migrator.schema(of: store.connection)).isEmpty)
        let empty = try Connection(path: store.folder + "/empty.sqlite", mode: .create)
        defer { _ = try? removeFile(store.folder + "/empty.sqlite") }
        let older = try Migrator.schema(of: empty)
        #expect(older.version == 0)
        #expect(Migrator.pending(older).map(\.name) == SchemaFiles.migrations.map(\.name))
        #expect(try number(empty, "SELECT count(*) FROM sqlite_schema") == 0)
        let before = try rows(store.connection, "SELECT quote(name) || applied_at_ms FROM migration")
        try Migrator.apply(to: store.connection, nowMilliseconds: 99)
        #expect(try rows(store.connection, "SELECT quote(name) || applied_at_ms FROM migration") == before)
    }

    @Test func `a file that is no ledger is refused by name`() throws {
        let store = try Store()
        let other = try Connection(path: store.folder + "/other.sqlite", mode: .create)
        try other.execute("CREATE TABLE migration (version, name, sha256, reader, writer)")
        defer { _ = try? removeFile(store.folder + "/other.sqlite") }
        #expect { _ = try EventDatabase.openForWriting(store.folder + "/other.sqlite") } throws: {
            ($0 as? StorageError)?.code == .notALedger
        }
        #expect { _ = try EventDatabase.openForReading(store.folder + "/none.sqlite") } throws: {
            ($0 as? StorageError)?.code == .notALedger
        }
    }
}
