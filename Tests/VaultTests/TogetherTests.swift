import Cryptography
import Glibc
import SystemCalls
import Testing

@testable import Vault

/// Small objects that become durable with one call.
@Suite struct TogetherTests {
    private static func objects(_ count: Int, _ key: SessionKey) -> [Vault.NewObject] {
        (0..<count).map { Vault.NewObject(ObjectID.random(), key: key, pattern($0 * 1_000)) }
    }

    @Test func `objects sealed together open one by one, and are locked until they are let go of`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let new = Self.objects(66, key)
        let folder = try FileDescriptor(opening: fixture.ledger, .folder)
        var written: [SealedObject] = try fixture.vault.write(.evidence, new, through: folder).map { try $0.get() }
        #expect(written.map(\.id) == new.map(\.id))
        for (object, plain) in zip(written, new.map(\.plain)) {
            let file = try fixture.folder.read(fixture.path(.evidence, object.id))
            #expect(object.kind == .evidence && object.plainByteCount == Int64(plain.count))
            #expect(object.plainDigest == SHA256.digest(of: plain) && object.sealedDigest == SHA256.digest(of: file))
            #expect(object.sealedByteCount == Int64(file.count))
            let reader = try fixture.vault.read(.evidence, object.id, key: key)
            #expect(try reader.readAll(limit: 1 << 20) == plain && reader.verify() == object.plainDigest)
        }
        #expect(Set(written.map { [UInt8]($0.sealedDigest.bytes) }).count == 66, "a salt was used twice")
        #expect(try fixture.vault.orphans { _, _ in false }.isEmpty)
        written.removeAll()
        #expect(try fixture.vault.orphans { _, _ in false }.count == 66)
    }

    @Test func `of objects sealed together one that cannot be fails alone, and nothing is left of it`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let destroyed = try fixture.vault.sessionKey(2)
        try fixture.vault.destroy(2, atMilliseconds: 0)
        var new = Self.objects(4, key)
        new[1] = Vault.NewObject(ObjectID.random(), key: destroyed, [1])
        new[3] = Vault.NewObject(new[2].id, key: key, [2])
        let folder = try FileDescriptor(opening: fixture.ledger, .folder)
        let written = fixture.vault.write(.evidence, new, through: folder)
        #expect(written.map { result in code { _ = try result.get() } } == [nil, .keyDestroyed, nil, .objectExists])
        let files = try fixture.folder.files().filter { $0.contains("/evidence/") }
        #expect(files.sorted() == [new[0].id, new[2].id].map { fixture.path(.evidence, $0) }.sorted())
        #expect(try fixture.vault.read(.evidence, new[2].id, key: key).readAll(limit: 1 << 20) == new[2].plain)
    }

    @Test func `what a killed process left half written in its place is collected`() throws {
        let fixture = try VaultFixture()
        let id = ObjectID.random()
        do {
            let file = try fixture.vault.objects.makePlacedFile(.evidence, id)
            try file.write([1, 2, 3])
            #expect(try fixture.vault.orphans { _, _ in false }.isEmpty, "it is locked while it is written")
        }
        #expect(try fixture.vault.orphans(removing: true) { _, _ in false }.map(\.id) == [id])
        #expect(try fixture.folder.files() == ["my.ledger/keys/keys.sqlite"])
    }

    @Test func `an original that is read needs no time of access written`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let folder = try FileDescriptor(opening: fixture.ledger, .folder)
        let new = Self.objects(2, key)
        for result in fixture.vault.write(.evidence, new, through: folder) { _ = try result.get() }
        let path = fixture.folder.path + "/" + fixture.path(.evidence, new[0].id)
        var status = stat()
        // older than what it holds, which a plain reading would put right
        var times = [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 2_000, tv_nsec: 0)]
        #expect(unsafe utimensat(AT_FDCWD, path, &times, 0) == 0)
        _ = try fixture.vault.read(.evidence, new[0].id, key: key).readAll(limit: 1 << 20)
        #expect(unsafe stat(path, &status) == 0 && status.st_atim.tv_sec == 1_000)
    }

    @Test func `where the one call fails every object is made durable by itself`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let new = Self.objects(3, key)
        // Through a descriptor for a path alone nothing can be synchronized: open(2)'s O_PATH, which Glibc's module does not name.
        let number = unsafe open(fixture.ledger, 0x20_0000 | O_CLOEXEC)
        #expect(number >= 0)
        let path = FileDescriptor(owning: number)
        #expect(throws: SystemError.self) { try path.synchronizeFileSystem() }
        let written = fixture.vault.write(.evidence, new, through: path)
        for (object, plain) in zip(try written.map { try $0.get() }, new.map(\.plain)) {
            #expect(try fixture.vault.read(.evidence, object.id, key: key).readAll(limit: 1 << 20) == plain)
        }
    }

    @Test func `one object, or one that needs several chunks, is not for sealing together`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        #expect(fixture.vault.write(.evidence, together: Self.objects(1, key)) == nil)
        let large = Vault.NewObject(ObjectID.random(), key: key, pattern(65_537))
        #expect(fixture.vault.write(.evidence, together: Self.objects(2, key) + [large]) == nil)
        #expect(try fixture.folder.files() == ["my.ledger/keys/keys.sqlite"])
    }

    @Test func `what waits to be written is known, and memory is no disk`() throws {
        let before = try #require(FileSystem.unwrittenBytes)
        #expect(before >= 0)
        let memory = try FileDescriptor(opening: "/proc", .folder)
        let isWhole = memory.synchronizesWhole
        #expect(!isWhole)
    }
}
