import Cryptography
import SystemCalls
import Testing
import Vault

/// The other side is `Tests/oracle_format.py`, written from docs/storage-format.md alone over another library.
@Suite struct IndependentReaderTests {
    private static let folder = FileSystem.parent(of: FileSystem.parent(of: #filePath))

    private static func python(_ script: String, _ arguments: [String]) throws -> (end: ChildProcess.End, output: String) {
        let start =
            "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1]); import oracle_format as form\n"
        let run = try ChildProcess.run(
            path: "/usr/bin/env", arguments: ["env", "python3", "-c", start + script, folder] + arguments,
            limitMilliseconds: 30_000, outputLimit: 100_000)
        return (run.end, String(decoding: run.output, as: UTF8.self))
    }

    private static let isThere = (try? python("", []))?.end == .exited(0)

    @Test(.enabled(if: isThere, "needs python3 with the package cryptography"))
    func `another program reads what was written, from the page alone`() throws {
        let fixture = try VaultFixture()
        try MasterKey.create(at: fixture.folder.file("k"))
        let ledger = fixture.folder.file("other.ledger")
        let vault = try Vault.create(folder: ledger, masterKey: MasterKey.load(.file(fixture.folder.file("k"))))
        try vault.ensureMinted(through: 300)
        let key = try vault.sessionKey(300)
        let (session, event, media, evidence) = (ObjectID.random(), ObjectID.random(), ObjectID.random(), ObjectID.random())
        let small = try key.seal(Array("hello".utf8), .privateHalf(event: event), session: session)
        let frozen = try key.seal(Array("frozen".utf8), .frozen(delivery: event), session: session)
        let object = try vault.write(.media, media, key: key, pattern(65_536 * 5 + 77))
        let answer = try vault.write(.evidence, evidence, key: key, [])

        let script = """
            import sqlite3
            _, _, master, ledger, session, event, media, evidence, small, frozen = sys.argv
            raw = bytes.fromhex
            kek = form.wrapping_key(form.read_master_key(master))
            db = sqlite3.connect(f"file:{ledger}/keys/keys.sqlite?mode=ro", uri=True)
            (wrapped,) = db.execute("SELECT wrapped FROM session_key WHERE key_no = 300").fetchone()
            key = form.unwrap(kek, wrapped, form.session_key_aad(300))
            (wrapped,) = db.execute("SELECT wrapped FROM ledger_key WHERE name = 'lookup'").fetchone()
            lookup = form.unwrap(kek, wrapped, form.ledger_key_aad("lookup"))
            def path(folder, text): return f"{ledger}/{folder}/{text[-2:]}/{text}"
            print(form.open_small(key, b"capture-ledger private v1", form.plain_id(event), form.plain_id(session), raw(small)).decode())
            print(form.open_small(key, b"capture-ledger frozen v1", form.plain_id(event), form.plain_id(session), raw(frozen)).decode())
            size, digest = form.open_stream(key, b"capture-ledger media v1", form.plain_id(media), path("media", media))
            print(size, digest.hex())
            print(form.sealed_digest(path("media", media)).hex(), form.commitment(key, digest).hex())
            size, digest = form.open_stream(key, b"capture-ledger evidence v1", form.plain_id(evidence), path("evidence", evidence))
            print(size, digest.hex())
            print(form.lookup_digest(lookup, 2, b"subject").hex(), form.hmac256(lookup, b"\\x80", b"body")[:16].hex())
            """
        let run = try Self.python(
            script,
            [
                fixture.folder.file("k"), ledger, session.text, event.text, media.text, evidence.text, hex(small), hex(frozen),
            ])
        #expect(run.end == .exited(0))
        let expected = [
            "hello", "frozen", "\(65_536 * 5 + 77) \(object.plainDigest.hex)",
            "\(object.sealedDigest.hex) \(try key.commitment(of: object.plainDigest).hex)", "0 \(answer.plainDigest.hex)",
            "\(hex(vault.lookupDigest(.subject, Array("subject".utf8)))) \(hex(vault.bodyDigest(Array("body".utf8))))",
        ]
        #expect(run.output.split(separator: "\n").map(String.init) == expected)
    }

    @Test(.enabled(if: isThere, "needs python3 with the package cryptography"), arguments: [0, 1, 65_536, 200_000])
    func `what another program sealed from the page alone opens`(count: Int) throws {
        let fixture = try VaultFixture()
        let (session, event, media) = (ObjectID.random(), ObjectID.random(), ObjectID.random())
        let script = """
            import sqlite3, os
            _, _, master, ledger, session, event, media, count = sys.argv
            kek = form.wrapping_key(bytes.fromhex(master))
            db = sqlite3.connect(f"{ledger}/keys/keys.sqlite")
            key = bytes(range(32))
            db.execute("INSERT INTO session_key VALUES (257, 1, ?, NULL)", (form.wrap(kek, key, form.session_key_aad(257)),))
            db.commit()
            sealed = form.seal_stream(key, b"capture-ledger media v1", form.plain_id(media), bytes(i % 251 for i in range(int(count))))
            os.makedirs(f"{ledger}/media/{media[-2:]}")
            open(f"{ledger}/media/{media[-2:]}/{media}", "wb").write(sealed)
            print(form.seal_small(key, b"capture-ledger private v1", form.plain_id(event), form.plain_id(session), b"hello").hex())
            """
        let run = try Self.python(
            script, [hex(fixture.masterKeyBytes), fixture.ledger, session.text, event.text, media.text, "\(count)"])
        #expect(run.end == .exited(0))
        let key = try fixture.vault.sessionKey(257)
        let small = hex(run.output.filter { $0 != "\n" })
        #expect(try key.open(small, .privateHalf(event: event), session: session) == Array("hello".utf8))
        let plain = try fixture.vault.read(.media, media, key: key).readAll(limit: count)
        #expect(plain == (0..<count).map { UInt8($0 % 251) })
    }
}
