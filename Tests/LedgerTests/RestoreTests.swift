import Archives
import Audit
import EventStorage
import Outbox
import SQLite
import SessionDomain
import SystemCalls
import TestSupport
import Testing
import Vault

@testable import CaptureLedger

@Suite struct RestoreTests {
    @Test func `a restored ledger is the one that was saved, with a new epoch and an event that says so`() throws {
        let temporary = try TemporaryLedger()
        var history = VariedHistory(temporary.ledger, seed: SeededRandom.seed(for: "restore"))
        try history.run(steps: 150)
        let path = temporary.folder + "/a.backup"
        let saved = try temporary.ledger.backup(to: path)
        let report = try Ledger.restore(from: path, to: temporary.folder + "/restored/")
        #expect(report.position == saved.position && report.media == saved.media && report.evidence == saved.evidence)
        #expect(report.erasedAgain == 0 && report.tombstones == history.erased.count)
        let restored = try Ledger.open(folder: report.folder)
        defer { restored.closeAndWait() }
        #expect(restored.ledgerID == temporary.ledger.ledgerID)
        #expect(restored.epoch == report.epoch && restored.epoch != temporary.ledger.epoch)
        for table in ["flow", "delivery", "delivery_work", "attempt", "receipt", "private_lookup", "session", "configuration"] {
            #expect(try dump(restored, table) == dump(temporary.ledger, table), "\(table)")
        }
        let events = Set(try dump(restored, "event"))
        #expect(events.isSuperset(of: try dump(temporary.ledger, "event")) && events.count == Int(saved.position) + 1)
        #expect(try restored.events(after: saved.position).map(\.type) == ["ledger_restored"])
        try expectSound(restored)
        try expectOpens(restored, history.sessions, except: history.erased)
        #expect(try names(report.folder).filter { $0.contains("part") || $0.contains("restore") } == [])
        #expect(try FileStatus.of(restored.files.log).map(\.size) ?? 0 == 0)
    }

    @Test func `nobody who was erased after the backup comes back with it`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let kept = try captured(ledger, "kept")
        let erased = try captured(ledger, "erased")
        let path = temporary.folder + "/a.backup"
        _ = try ledger.backup(to: path)
        let wrapped = try wrappedKey(ledger, erased)
        let lookup = try ledger.keys.lookupDigest(.subject, Array("erased".utf8))
        #expect(try hits(of: wrapped, in: temporary.path) > 0 && hits(of: lookup, in: temporary.path) > 0)
        _ = try ledger.erase(erased)

        let report = try Ledger.restore(from: path, to: temporary.folder + "/restored")
        #expect(report.tombstones == 1 && report.erasedAgain == 1)
        #expect(try hits(of: wrapped, in: report.folder) == 0)
        #expect(try hits(of: lookup, in: report.folder) == 0)
        let restored = try Ledger.open(folder: report.folder)
        defer { restored.closeAndWait() }
        #expect(try restored.session(erased).flow.status == .erased)
        #expect(try restored.find(.subject("erased")).isEmpty && restored.find(.subject("kept")) == [kept])
        #expect(
            try names(report.folder + "/media").filter { $0.utf8.count == 2 }.flatMap {
                try names(report.folder + "/media/" + $0)
            }.count == 1)
        #expect(try restored.deliveries(of: erased).map(\.status) == [.withdrawn])
        try expectSound(restored)
        try expectOpens(restored, [kept, erased], except: [erased])
        // The tombstones did not grow by applying them.
        let tombstones = try #require(ledger.settings.tombstonePath(in: ledger.files.folder))
        #expect(try Tombstones.read(tombstones).count == 1)
    }

    @Test func `a key of a session that began and was erased after the backup is never given out again`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        _ = try captured(ledger, "before")
        let path = temporary.folder + "/a.backup"
        _ = try ledger.backup(to: path)
        let erased = try captured(ledger, "after")
        let number = try #require(try keyNumber(ledger, erased))
        let wrapped = try wrappedKey(ledger, erased)
        _ = try ledger.erase(erased)

        let report = try Ledger.restore(from: path, to: temporary.folder + "/restored")
        #expect(report.erasedAgain == 0 && report.tombstones == 1)
        #expect(try hits(of: wrapped, in: report.folder) == 0)
        let restored = try Ledger.open(folder: report.folder)
        defer { restored.closeAndWait() }
        #expect(try restored.keys.keyState(number) == .destroyed)
        let next = try captured(restored, "next")
        #expect(try #require(try keyNumber(restored, next)) > number)
        try expectOpens(restored, [next], except: [])
        try expectSound(restored)
    }

    @Test func `a key that was destroyed while the backup was made erases its session in the restored ledger`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let session = try captured(ledger, "a")
        // As the copies see it: the database from before the erasure, the keys from after it.
        let tombstones = try #require(ledger.settings.tombstonePath(in: temporary.path))
        let number = try #require(try keyNumber(ledger, session))
        try Tombstones.append(.init(session: session, keyNumber: number, erasedAtMilliseconds: 1), to: tombstones)
        _ = try ledger.keys.destroy(number, atMilliseconds: 1)
        _ = try ledger.backup(to: temporary.folder + "/a.backup")
        let report = try Ledger.restore(from: temporary.folder + "/a.backup", to: temporary.folder + "/restored")
        #expect(report.erasedAgain == 1)
        let restored = try Ledger.open(folder: report.folder)
        defer { restored.closeAndWait() }
        try expectSound(restored)
        try expectOpens(restored, [session], except: [session])
    }

    @Test func `without tombstones nothing is restored and nothing is left`() throws {
        let temporary = try TemporaryLedger()
        _ = try captured(temporary.ledger, "a")
        let path = temporary.folder + "/a.backup"
        _ = try temporary.ledger.backup(to: path)
        let tombstones = try #require(temporary.ledger.settings.tombstonePath(in: temporary.path))
        try FileSystem.rename(tombstones, to: tombstones + ".away")
        try refuses("tombstones_missing", path, temporary.folder + "/restored")

        try FileDescriptor(opening: tombstones, .createNew).write(Array("{\"erased_at_ms\":1,\"key\n".utf8))
        try refuses("tombstones_damaged", path, temporary.folder + "/restored")

        var options = RestoreOptions()
        options.tombstones = tombstones + ".away"
        let report = try Ledger.restore(from: path, to: temporary.folder + "/restored", options: options)
        let restored = try Ledger.open(folder: report.folder)
        defer { restored.closeAndWait() }
        #expect(restored.settings.tombstones == options.tombstones)
    }

    @Test func `another ledger's tombstones are refused`() throws {
        let temporary = try TemporaryLedger()
        let session = try captured(temporary.ledger, "a")
        let path = temporary.folder + "/a.backup"
        _ = try temporary.ledger.backup(to: path)
        let number = try #require(try keyNumber(temporary.ledger, session))
        let tombstones = try #require(temporary.ledger.settings.tombstonePath(in: temporary.path))
        try Tombstones.append(.init(session: session, keyNumber: number + 1, erasedAtMilliseconds: 1), to: tombstones)
        try refuses("tombstones_foreign", path, temporary.folder + "/restored")
    }

    @Test func `a tombstone file that names other ledgers alone is another's, and one that several share is read for its own`()
        throws
    {
        let (temporary, other) = (try TemporaryLedger(), try TemporaryLedger())
        let erased = try captured(temporary.ledger, "a")
        let path = temporary.folder + "/a.backup"
        _ = try temporary.ledger.backup(to: path)
        _ = try other.ledger.erase(try captured(other.ledger, "b"))
        var options = RestoreOptions()
        let foreign = try #require(other.ledger.settings.tombstonePath(in: other.path))
        options.tombstones = foreign
        #expect { try Ledger.restore(from: path, to: temporary.folder + "/restored", options: options) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "tombstones_foreign"
        }
        #expect(try FileStatus.of(temporary.folder + "/restored") == nil)
        _ = try temporary.ledger.erase(erased)
        let own = try #require(temporary.ledger.settings.tombstonePath(in: temporary.path))
        let shared = temporary.folder + "/shared.jsonl"
        let lines = try [own, foreign].flatMap {
            try FileDescriptor(opening: $0, .read).readToEnd(limit: 1 << 20)
        }
        try FileDescriptor(opening: shared, .createNew).write(lines)
        options.tombstones = shared
        let report = try Ledger.restore(from: path, to: temporary.folder + "/restored", options: options)
        #expect(report.erasedAgain == 1)
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["/dev/null", "folder", "pipe"])
    func `what is no file remembers nobody: not for a restore, not for an erasure`(kind: String) throws {
        let temporary = try TemporaryLedger()
        let session = try captured(temporary.ledger, "a")
        let path = temporary.folder + "/a.backup"
        _ = try temporary.ledger.backup(to: path)
        let tombstones = try #require(temporary.ledger.settings.tombstonePath(in: temporary.path))
        try FileSystem.remove(tombstones)
        switch kind {
        case "folder": try FileSystem.makeFolder(tombstones)
        case "pipe":
            _ = try ChildProcess.run(
                path: "/usr/bin/env", arguments: ["env", "mkfifo", tombstones], limitMilliseconds: 9_000, outputLimit: 99)
        default:
            _ = try ChildProcess.run(
                path: "/usr/bin/env", arguments: ["env", "ln", "-s", kind, tombstones], limitMilliseconds: 9_000,
                outputLimit: 99)
        }
        #expect(throws: LedgerError.self) { try Ledger.restore(from: path, to: temporary.folder + "/restored") }
        #expect(try FileStatus.of(temporary.folder + "/restored") == nil)
        #expect { try temporary.ledger.erase(session) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "tombstones_unwritable"
        }
        #expect(try temporary.ledger.session(session).flow.status != .erased)
    }

    @Test func `an archive that was altered, cut or extended anywhere is refused and nothing is left`() throws {
        let temporary = try TemporaryLedger()
        _ = try captured(temporary.ledger, "a")
        let path = temporary.folder + "/a.backup"
        _ = try temporary.ledger.backup(to: path)
        let original = try FileDescriptor(opening: path, .read).readToEnd(limit: 64 << 20)
        var random = SeededRandom(seed: SeededRandom.seed(for: "altered archive"))
        for _ in 0..<25 {
            var altered = original
            altered[Int.random(in: 0..<altered.count, using: &random)] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            try refuses(nil, altered, temporary)
        }
        // Settings lead the archive and are acted on first: any of their bits.
        let settings = try #require(header(named: Settings.fileName, in: original)) + 512
        for _ in 0..<25 {
            var altered = original
            altered[settings + Int.random(in: 0..<1500, using: &random)] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            try refuses(nil, altered, temporary)
        }
        for cut in [0, 1, 511, 512, 513, original.count / 2, original.count - 1024, original.count - 512, original.count - 1] {
            try refuses(nil, Array(original[..<cut]), temporary)
        }
        try refuses("backup_damaged", original + [0], temporary)
        try refuses("not_a_backup", Array("hello".utf8), temporary)
        try refuses("not_a_backup", [UInt8](repeating: 0, count: 10_240), temporary)
    }

    @Test func `an archive with a name that leads elsewhere, a link or a file twice is refused`() throws {
        let temporary = try TemporaryLedger()
        let session = try captured(temporary.ledger, "a")
        let path = temporary.folder + "/a.backup"
        _ = try temporary.ledger.backup(to: path)
        let original = try FileDescriptor(opening: path, .read).readToEnd(limit: 64 << 20)
        let capture = try #require(try temporary.ledger.session(session).flow.pieces[0].captureID)
        let name = ArchiveName.path(.media, ObjectID(capture.uuid))
        let start = try #require(header(named: name, in: original))
        let size = try #require(TarHeader(Array(original[start..<start + 512]))).size
        let entry = Array(original[start..<start + 512 + Int((size + 511) / 512 * 512)])
        for hostile in ["../../../../tmp/evil", "/tmp/evil", "media/../../evil", "ledger.sqlite-wal", "keys/keys.sqlite"] {
            try refuses(
                "backup_damaged",
                Array(original[..<start]) + TarHeader(name: hostile, size: size).bytes + Array(original[(start + 512)...]),
                temporary)
        }
        var link = TarHeader(name: name, size: 0).bytes
        link[156] = UInt8(ascii: "2")
        try refuses("backup_damaged", Array(original[..<start]) + link + Array(original[start...]), temporary)
        try refuses("backup_damaged", Array(original[..<start]) + entry + Array(original[start...]), temporary)
        #expect(try FileStatus.of("/tmp/evil") == nil)
    }

    @Test func `a restore overwrites nothing, and what an interrupted one left is replaced`() throws {
        let temporary = try TemporaryLedger()
        _ = try captured(temporary.ledger, "a")
        let path = temporary.folder + "/a.backup"
        _ = try temporary.ledger.backup(to: path)
        #expect { try Ledger.restore(from: path, to: temporary.path) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "folder_not_empty"
        }
        #expect { try Ledger.restore(from: temporary.folder + "/none", to: temporary.folder + "/r") } throws: {
            ($0 as? LedgerError)?.code.rawValue == "no_such_file"
        }
        let folder = temporary.folder + "/restored"
        try FileSystem.makeFolder(folder)
        try FileSystem.makeFolder(folder + ".part/media/aa")
        try FileDescriptor(opening: folder + ".part/ledger.sqlite", .createNew).write(Array("half".utf8))
        do {
            let running = try FileDescriptor(opening: folder + ".part/lock.restore", .writeOrCreate)
            try running.lock()
            #expect { try Ledger.restore(from: path, to: folder) } throws: {
                ($0 as? LedgerError)?.code.rawValue == "would_block"
            }
        }
        _ = try Ledger.restore(from: path, to: folder)
        try Ledger.open(folder: folder).closeAndWait()
        #expect(try FileStatus.of(folder + ".part") == nil)
    }

    @Test func `with another master key nothing is restored`() throws {
        let temporary = try TemporaryLedger()
        _ = try captured(temporary.ledger, "a")
        let path = temporary.folder + "/a.backup"
        _ = try temporary.ledger.backup(to: path)
        _ = try MasterKey.create(at: temporary.folder + "/other.key")
        var options = RestoreOptions()
        options.masterKey = .file(temporary.folder + "/other.key")
        #expect { try Ledger.restore(from: path, to: temporary.folder + "/r", options: options) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "wrong_master_key"
        }
        #expect(try names(temporary.folder).filter { $0.hasPrefix("r") } == [])
    }

    @Test func `F29 random sessions, erasures, backups, restores and rebuilds: nobody comes back and everything else opens`()
        throws
    {
        let seed = SeededRandom.seed(for: "upkeep")
        let temporary = try TemporaryLedger()
        var current = temporary.ledger
        var history = VariedHistory(current, seed: seed)
        try history.run(steps: 60)
        for round in 0..<3 {
            let path = temporary.folder + "/\(round).backup"
            #expect(try current.backup(to: path).missing == [])
            try history.run(steps: 25)
            let report = try Ledger.restore(from: path, to: temporary.folder + "/\(round)")
            if round > 0 { current.closeAndWait() }
            current = try Ledger.open(folder: report.folder)
            history.goOn(in: current)
            let flow = try dump(current, "flow")
            let delivery = try dump(current, "delivery")
            _ = try current.rebuild()
            #expect(try dump(current, "flow") == flow && dump(current, "delivery") == delivery)
            try expectSound(current)
            try expectOpens(current, history.sessions, except: history.erased)
            try history.run(steps: 25)
        }
        try expectSound(current)
        current.closeAndWait()
    }
}

private func refuses(_ code: String?, _ archive: String, _ folder: String) throws {
    #expect { try Ledger.restore(from: archive, to: folder) } throws: {
        guard let error = $0 as? LedgerError else { return false }
        return code.map { $0 == error.code.rawValue }
            ?? ["backup_damaged", "not_a_backup"].contains(error.code.rawValue)
    }
    #expect(try FileStatus.of(folder) == nil && FileStatus.of(folder + ".part") == nil)
}

private func refuses(_ code: String?, _ archive: [UInt8], _ temporary: TemporaryLedger) throws {
    let path = temporary.folder + "/altered.backup"
    let file = try FileDescriptor(opening: path, .createNew)
    try file.write(archive)
    try refuses(code, path, temporary.folder + "/restored")
    try FileSystem.remove(path)
}

private func header(named name: String, in archive: [UInt8]) -> Int? {
    stride(from: 0, to: archive.count, by: 512).first { TarHeader(Array(archive[$0..<$0 + 512]))?.name == name }
}

/// A session with a sealed original that waits to be sent.
private func captured(_ ledger: Ledger, _ subject: String) throws -> SessionID {
    var start = StartRequest(configuration: configuration([.selfie, .passportFront]))
    start.subject = subject
    let session = try ledger.start(start).session
    _ = try ledger.capture(CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
    _ = try ledger.confirm(.selfie, in: session, CommandOptions())
    return session
}

private func keyNumber(_ ledger: Ledger, _ session: SessionID) throws -> Int64? {
    try ledger.read { (context) throws(LedgerError) in
        try translated { () throws(StorageError) in try context.events.session(session)?.keyNumber }
    }
}

private func wrappedKey(_ ledger: Ledger, _ session: SessionID) throws -> [UInt8] {
    let connection = try Connection(path: ledger.files.keys + "/keys.sqlite", mode: .read)
    let statement = try Statement(connection, "SELECT wrapped FROM session_key WHERE key_no = ?1")
    statement.bind(try #require(try keyNumber(ledger, session)), at: 1)
    #expect(try statement.step())
    return statement.blob(0)
}

/// How many files under a folder hold these bytes.
func hits(of bytes: [UInt8], in path: String) throws -> Int {
    if try FileStatus.of(path)?.kind == .folder {
        return try names(path).reduce(0) { try $0 + hits(of: bytes, in: path + "/" + $1) }
    }
    let content = try FileDescriptor(opening: path, .read).readToEnd(limit: 64 << 20)
    guard content.count >= bytes.count else { return 0 }
    for start in 0...(content.count - bytes.count) where content[start] == bytes[0] {
        if content[start..<start + bytes.count].elementsEqual(bytes) { return 1 }
    }
    return 0
}

func expectSound(_ ledger: Ledger) throws {
    let connection = try EventDatabase.openForReading(ledger.files.database)
    let report = try LedgerVerifier(connection, files: SealedFiles(ledger: ledger.files.folder), vault: ledger.vault).verify()
    #expect(report.isSound, "\(report.problems.map(\.message))")
}

/// Every original that an event names and none purged opens, and nothing of an erased session does.
func expectOpens(_ ledger: Ledger, _ sessions: [SessionID], except erased: Set<SessionID>) throws {
    for session in sessions {
        guard let events = try? ledger.timeline(session) else { continue }
        let isErased = erased.contains(session)
        #expect(events.contains { $0.type == "session_erased" } == isErased)
        let purged = Set(events.filter { $0.type == "media_purged" }.compactMap(\.captureID))
        for id in events.filter({ $0.type == "piece_captured" }).compactMap(\.captureID) {
            let exists = try ledger.keys.exists(.media, ObjectID(id.uuid))
            #expect(exists == !(isErased || purged.contains(id)))
            if exists { _ = try ledger.keys.read(.media, ObjectID(id.uuid), key: ledger.sessionKey(session)).verify() }
        }
        if isErased { #expect(throws: LedgerError.self) { try ledger.sessionKey(session) } }
    }
}
