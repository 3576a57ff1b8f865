import Cryptography
import Glibc
import SQLite
import SystemCalls
import Testing
import Vault

@Suite struct SealedFileTests {
    private static let edges = [
        0, 1, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 262_144, 262_145, 327_680, 1_000_000,
    ]

    private func readAll(_ reader: SealedReader, step: Int) throws -> [UInt8] {
        var plain: [UInt8] = []
        while true {
            let piece = try reader.read(at: Int64(plain.count), limit: step)
            if piece.isEmpty { return plain }
            plain.append(contentsOf: piece)
        }
    }

    @Test(arguments: edges, [1000, 65_536, 5_000_000])
    func `a sealed file opens to the same bytes however it was cut`(count: Int, piece: Int) throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let (id, plain) = (ObjectID.random(), pattern(count))
        let writer = try fixture.vault.write(.media, id, key: key)
        for start in stride(from: 0, to: count, by: piece) {
            try writer.append(Array(plain[start..<min(count, start + piece)]))
        }
        let object = try writer.finish()
        #expect(object.plainByteCount == Int64(count))
        #expect(object.plainDigest == SHA256.digest(of: plain))
        let file = try fixture.folder.read(fixture.path(.media, id))
        #expect(object.sealedDigest == SHA256.digest(of: file))
        #expect(object.sealedByteCount == Int64(file.count))
        #expect(StreamLayout.sealedByteCount(plainByteCount: Int64(count)) == Int64(file.count))
        let verified = try fixture.vault.sealedDigest(.media, id)
        #expect(verified.byteCount == object.sealedByteCount && verified.digest == object.sealedDigest)

        let reader = try fixture.vault.read(.media, id, key: key)
        #expect(reader.byteCount == Int64(count))
        #expect(try readAll(reader, step: 7777) == plain)
        #expect(try reader.verify() == object.plainDigest)
        #expect(try reader.readAll(limit: count) == plain)
        if count > 0 {
            #expect(code { _ = try reader.readAll(limit: count - 1) } == .objectTooLarge)
            #expect(try reader.read(at: Int64(count - 1), limit: 10) == plain[(count - 1)...])
            #expect(try reader.read(at: 0, limit: 1) == plain[..<1])
        }
        #expect(try reader.read(at: Int64(count), limit: 1).isEmpty)
        #expect(try fixture.folder.files().sorted() == ["my.ledger/keys/keys.sqlite", fixture.path(.media, id)])
    }

    @Test(arguments: edges)
    func `reading into somebody else's room gives the same bytes, whatever the room and wherever it begins`(count: Int) throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let (id, plain) = (ObjectID.random(), pattern(count))
        _ = try fixture.vault.write(.media, id, key: key, plain)
        let reader = try fixture.vault.read(.media, id, key: key)
        for room in [777, 65_535, 65_536, 200_000, 262_144] {
            for start in [0, 1, 65_535, 65_536, 131_000] where start <= count {
                var read: [UInt8] = []
                while start + read.count < count {
                    let piece = try [UInt8](capacity: room) { try reader.read(at: Int64(start + read.count), into: &$0) }
                    try #require(!piece.isEmpty && piece.count <= room)
                    read += piece
                }
                #expect(read == Array(plain[start...]))
            }
        }
        #expect(try [UInt8](capacity: 9) { try reader.read(at: Int64(count), into: &$0) }.isEmpty)
        #expect(try reader.verify() == SHA256.digest(of: plain))
    }

    @Test func `a chunk that was altered or cut leaves nothing behind in somebody else's room`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let id = ObjectID.random()
        let plain = pattern(200_000)
        _ = try fixture.vault.write(.media, id, key: key, plain)
        let path = fixture.path(.media, id)
        let file = try fixture.folder.read(path)
        // the second chunk's text, and its tag
        for place in [24 + 65_552 + 5, 24 + 2 * 65_552 - 1] {
            var altered = file
            altered[place] ^= 1
            try fixture.folder.write(path, altered)
            let reader = try fixture.vault.read(.media, id, key: key)
            let read = [UInt8](capacity: 262_144) { room in
                do {
                    try reader.read(at: 0, into: &room)
                    Issue.record("it opened")
                } catch {
                    #expect((error as? VaultError)?.code == .authenticationFailed)
                }
            }
            #expect(read == Array(plain[..<65_536]))
        }
        try fixture.folder.write(path, file)
        let reader = try fixture.vault.read(.media, id, key: key)
        #expect(unsafe truncate(fixture.folder.file(path), off_t(file.count - 70_000)) == 0)
        let read = [UInt8](capacity: 262_144) { room in
            do {
                try reader.read(at: 0, into: &room)
                Issue.record("it opened")
            } catch {
                #expect((error as? VaultError)?.code == .truncated)
            }
        }
        #expect(read == Array(plain[..<65_536]))
    }

    @Test func `every flipped byte and every truncation of a small sealed file is found`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let id = ObjectID.random()
        _ = try fixture.vault.write(.evidence, id, key: key, pattern(200))
        let path = fixture.path(.evidence, id)
        let file = try fixture.folder.read(path)
        for index in file.indices {
            var altered = file
            altered[index] ^= 0x10
            try fixture.folder.write(path, altered)
            #expect(
                code { _ = try fixture.vault.read(.evidence, id, key: key).verify() }
                    == (index < 8 ? .unknownFormat : .authenticationFailed))
            try fixture.folder.write(path, Array(file[..<index]))
            #expect(
                code { _ = try fixture.vault.read(.evidence, id, key: key).verify() }
                    == (index <= 40 && index != 40 ? .truncated : .authenticationFailed))
        }
        try fixture.folder.write(path, file)
        #expect(try fixture.vault.read(.evidence, id, key: key).readAll(limit: 200) == pattern(200))
    }

    @Test func `chunks do not open in another place, number or file`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let id = ObjectID.random()
        _ = try fixture.vault.write(.media, id, key: key, pattern(65_536 * 3))
        let path = fixture.path(.media, id)
        let file = try fixture.folder.read(path)
        let size = StreamLayout.sealedChunkByteCount
        func chunks(_ numbers: Int...) -> [UInt8] {
            var result = Array(file[..<24])
            for number in numbers { result += file[24 + number * size..<24 + (number + 1) * size] }
            return result
        }
        let alterations: [(name: String, file: [UInt8])] = [
            ("reordered", chunks(1, 0, 2)), ("cut at a chunk", chunks(0, 1)), ("last one twice", chunks(0, 1, 2, 2)),
            ("first missing", chunks(1, 2)), ("one byte short", file.dropLast()), ("many bytes long", file + pattern(100)),
        ]
        #expect(chunks(0, 1, 2) == file)
        for (name, altered) in alterations {
            try fixture.folder.write(path, altered)
            #expect(code { _ = try fixture.vault.read(.media, id, key: key).verify() } == .authenticationFailed, "\(name)")
        }
        for count in [24 + size, 24 + size + 1, 24 + size + 16, 24 + size + 17, 24 + 15, 24, 23, 0] {
            try fixture.folder.write(path, Array(file[..<count]))
            #expect(code { _ = try fixture.vault.read(.media, id, key: key).verify() } != nil, "\(count) bytes")
        }
        // A whole file under another name, kind or key.
        let other = ObjectID(high: id.high ^ 1, low: id.low)
        try FileSystem.makeFolder(fixture.folder.file("my.ledger/evidence/\(id.text.suffix(2))"))
        for (target, kind) in [(other, SealedKind.media), (id, .evidence)] {
            try fixture.folder.write(fixture.path(kind, target), file)
            #expect(code { _ = try fixture.vault.read(kind, target, key: key).verify() } == .authenticationFailed)
        }
        try fixture.folder.write(path, file)
        let otherKey = try fixture.vault.sessionKey(2)
        #expect(code { _ = try fixture.vault.read(.media, id, key: otherKey).verify() } == .authenticationFailed)
    }

    @Test func `a link in place of a file or a folder is not followed`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let id = ObjectID.random()
        _ = try fixture.vault.write(.media, id, key: key, [1])
        let path = fixture.folder.file(fixture.path(.media, id))
        try FileSystem.rename(path, to: path + ".moved")
        let link = try ChildProcess.run(
            path: "/bin/ln", arguments: ["ln", "-s", path + ".moved", path], limitMilliseconds: 5000, outputLimit: 0)
        #expect(link.end == .exited(0))
        #expect(code { _ = try fixture.vault.read(.media, id, key: key) } == .storageFailed)
        #expect(try fixture.vault.orphans { _, _ in false }.isEmpty)
    }

    @Test func `a pipe or a folder in place of a file is refused and nobody waits for it`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let (pipe, folder) = (ObjectID(high: 1, low: 0xAA), ObjectID(high: 2, low: 0xAA))
        try FileSystem.makeFolder(fixture.folder.file(fixture.path(.media, folder)))
        #expect(unsafe mkfifo(fixture.folder.file(fixture.path(.media, pipe)), 0o600) == 0)
        #expect(code { _ = try fixture.vault.read(.media, pipe, key: key) } == .unknownFormat)
        #expect(code { _ = try fixture.vault.read(.media, folder, key: key) } == .unknownFormat)
        #expect(try fixture.vault.orphans { _, _ in false }.isEmpty)
    }

    @Test func `empty folders that a backup left out are made again, unless only reading`() throws {
        let fixture = try VaultFixture()
        let gone = try ChildProcess.run(
            path: "/bin/rm", arguments: ["rm", "-r", fixture.ledger + "/media", fixture.ledger + "/evidence"],
            limitMilliseconds: 5000, outputLimit: 0)
        #expect(gone.end == .exited(0))
        #expect(
            code { _ = try Vault.open(folder: fixture.ledger, masterKey: fixture.masterKey, isReadOnly: true) } == .vaultMissing
        )
        let vault = try fixture.openAgain()
        _ = try vault.write(.media, .random(), key: vault.sessionKey(1), [1])
        let reader = try Vault.open(folder: fixture.ledger, masterKey: fixture.masterKey, isReadOnly: true)
        _ = try reader.sessionKey(1)
        #expect(code { try reader.destroy(1, atMilliseconds: 1) } == .storageFailed)
        #expect(try reader.keyState(1) == .active)
    }

    @Test func `a reader opens what a writer left that was killed in a transaction`() throws {
        let fixture = try VaultFixture()
        let connection = try Connection(path: fixture.ledger + "/keys/keys.sqlite", mode: .write)
        // more pages than the cache holds, so that the file is changed and the journal has to put it back
        try connection.execute(
            """
            PRAGMA cache_size = 1; BEGIN IMMEDIATE; CREATE TABLE half_done AS WITH RECURSIVE number(n) AS
            (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 3000) SELECT n, zeroblob(100) FROM number;
            """)
        let left = fixture.folder.file("left.ledger")
        let copied = try ChildProcess.run(
            path: "/bin/cp", arguments: ["cp", "-r", fixture.ledger, left], limitMilliseconds: 5000, outputLimit: 0)
        let journal = try #require(try FileStatus.of(left + "/keys/keys.sqlite-journal"))
        #expect(copied.end == .exited(0) && journal.size > 512)
        try connection.execute("ROLLBACK")

        let reader = try Vault.open(folder: left, masterKey: fixture.masterKey, isReadOnly: true)
        #expect(try reader.keyState(1) == .active)
        #expect(code { try reader.destroy(1, atMilliseconds: 1) } == .storageFailed, "it may write")
        #expect(try FileStatus.of(left + "/keys/keys.sqlite-journal") == nil)
    }

    @Test func `S80 a removed original is in no folder, and an open reader goes on`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let (id, plain) = (ObjectID.random(), pattern(200_000))
        _ = try fixture.vault.write(.media, id, key: key, plain)
        let sealed = try fixture.folder.read(fixture.path(.media, id))
        let part = Array(sealed[1000..<1032])
        #expect(try fixture.folder.files(holding: part).count == 1)
        let reader = try fixture.vault.read(.media, id, key: key)
        #expect(try fixture.vault.exists(.media, id))
        #expect(try fixture.vault.remove(.media, id))
        #expect(try !fixture.vault.remove(.media, id))
        #expect(try !fixture.vault.exists(.media, id))
        #expect(try fixture.folder.files(holding: part) == [])
        #expect(try reader.readAll(limit: plain.count) == plain)
        #expect(code { _ = try fixture.vault.read(.media, id, key: key) } == .objectMissing)
        try fixture.vault.destroy(1, atMilliseconds: 1)
        #expect(code { _ = try reader.readAll(limit: plain.count) } == .keyDestroyed)
    }

    @Test func `an identifier is used once`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let id = ObjectID.random()
        _ = try fixture.vault.write(.media, id, key: key, [1])
        #expect(code { _ = try fixture.vault.write(.media, id, key: key, [2]) } == .objectExists)
        #expect(try fixture.vault.read(.media, id, key: key).readAll(limit: 10) == [1])
        let second = ObjectID.random()
        let writer = try fixture.vault.write(.media, second, key: key)
        #expect(code { _ = try fixture.vault.write(.media, second, key: key) } == .objectExists)
        writer.abort()
        #expect(try fixture.folder.files().count == 2)
    }
}
