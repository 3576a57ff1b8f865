import Archives
import EventStorage
import SessionDomain
import SystemCalls
import TestSupport
import Testing
import Vault

@testable import CaptureLedger

@Suite struct BackupTests {
    @Test func `a backup is one file, names what it holds, and overwrites nothing`() throws {
        let temporary = try TemporaryLedger()
        var history = VariedHistory(temporary.ledger, seed: SeededRandom.seed(for: "backup"))
        try history.run(steps: 120)
        let path = temporary.folder + "/one.backup"
        let report = try temporary.ledger.backup(to: path)
        #expect(report.missing == [])
        #expect(report.position == (try temporary.ledger.lastPosition()))
        #expect(report.bytes == (try FileStatus.of(path))?.size)
        #expect(try FileStatus.of(path)?.mode == 0o600)
        #expect(try names(temporary.folder).filter { $0.hasPrefix("one.backup") } == ["one.backup"])
        #expect { try temporary.ledger.backup(to: path) } throws: { ($0 as? LedgerError)?.code.rawValue == "file_exists" }
        #expect { try temporary.ledger.backup(to: temporary.folder + "/no/where.backup") } throws: {
            ($0 as? LedgerError)?.code.rawValue == "no_such_folder"
        }
    }

    @Test func `tar and sha256sum read a backup`() throws {
        let temporary = try TemporaryLedger()
        var history = VariedHistory(temporary.ledger, seed: 3)
        try history.run(steps: 60)
        let path = temporary.folder + "/two.backup"
        _ = try temporary.ledger.backup(to: path)
        let out = temporary.folder + "/out"
        try FileSystem.makeFolder(out)
        let command = "cd \(out) && tar xf \(path) && sha256sum --quiet -c SHA256SUMS && cat manifest.json"
        let result = try ChildProcess.run(
            path: "/bin/sh", arguments: ["sh", "-c", command], limitMilliseconds: 20_000, outputLimit: 4096)
        #expect(result.end == .exited(0))
        #expect(BackupManifest(result.output) != nil)
    }

    @Test func `a header holds sizes beyond 8 GiB, and no other form of header is ours`() throws {
        for size in [0, 1, 511, 512, 513, 1 << 33 - 1, 1 << 33, 1 << 40 + 7] as [Int64] {
            let header = TarHeader(name: "ledger.sqlite", size: size)
            #expect(TarHeader(header.bytes) == header)
            for index in 0..<512 {
                var altered = header.bytes
                altered[index] ^= 1
                #expect(TarHeader(altered) != header, "byte \(index)")
            }
        }
        var link = TarHeader(name: "ledger.sqlite", size: 0).bytes
        link[156] = UInt8(ascii: "2")
        #expect(TarHeader(link) == nil)
    }

    @Test func `a name that leads elsewhere is no name of a backup`() {
        for name in [
            "../ledger.sqlite", "/etc/passwd", "media/../../x", "media/aa/0190a5b0-0000-7000-8000-0000000000bb", "media/x",
            "media/bb/0190A5B0-0000-7000-8000-0000000000BB", "", ".", "keys/keys.sqlite/", "media//x",
        ] {
            #expect(ArchiveName(name) == nil, "\(name)")
        }
        #expect(ArchiveName("media/bb/0190a5b0-0000-7000-8000-0000000000bb") != nil)
    }

    @Test func `media that is gone for a reason is fine, media that is lost or altered is named`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        var captures: [CaptureID] = []
        for _ in 0..<4 {
            let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
            let done = try ledger.capture(
                CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
            guard case .captured(let id, _) = done.outcome else { continue }
            captures.append(id)
            if captures.count == 1 { _ = try ledger.erase(session) }
            if captures.count == 2 {
                let purge = PurgeMedia(piece: .selfie, captureID: id, cause: "answered", bytes: 1, commitment: nil)
                _ = try ledger.perform(.purgeMedia(purge), "purge", [], session, CommandOptions())
                _ = try ledger.keys.remove(.media, ObjectID(id.uuid))
            }
        }
        _ = try ledger.keys.remove(.media, ObjectID(captures[2].uuid))
        let altered = ledger.files.sealed(.media, ObjectID(captures[3].uuid))
        try FileDescriptor(opening: altered, .append).write([0])
        let report = try ledger.backup(to: temporary.folder + "/three.backup")
        #expect(report.missing == captures[2...].map { ArchiveName.path(.media, ObjectID($0.uuid)) })
    }

    @Test func `what an interrupted backup left is replaced, and a running one is not disturbed`() throws {
        let temporary = try TemporaryLedger()
        let path = temporary.folder + "/four.backup"
        for suffix in [".part", ".part.ledger", ".part.keys", ".part.sums"] {
            try FileDescriptor(opening: path + suffix, .createNew).write(Array("half".utf8))
        }
        do {
            let running = try BackupFiles(path)
            try running.make(running.part).write(Array("all".utf8))
            _ = try running.make(running.database)
            #expect { try temporary.ledger.backup(to: path) } throws: { ($0 as? LedgerError)?.code.rawValue == "would_block" }
            #expect(try FileStatus.of(running.database) != nil)
            #expect(try FileDescriptor(opening: running.part, .read).readToEnd(limit: 9) == Array("all".utf8))
        }
        #expect(try temporary.ledger.backup(to: path).position == 0)
        #expect(try names(temporary.folder).filter { $0.hasPrefix("four.backup") } == ["four.backup"])
    }

    @Test func `a ledger whose log was altered gives no backup and leaves no file`() throws {
        let temporary = try TemporaryLedger()
        _ = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie])))
        let foreign = try EventDatabase.openForWriting(temporary.ledger.files.database)
        try foreign.execute("DROP TRIGGER event_is_never_changed; UPDATE event SET facts = '{}' WHERE position = 1")
        #expect { try temporary.ledger.backup(to: temporary.folder + "/five.backup") } throws: {
            ($0 as? LedgerError)?.code.rawValue == "ledger_damaged"
        }
        #expect(try names(temporary.folder).filter { $0.hasPrefix("five.backup") } == [])
    }

    @Test func `a backup taken while others write is one moment of the ledger`() async throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let writing = Task.detached {
            for _ in 0..<40 { _ = try ledger.start(StartRequest(configuration: configuration([.selfie]))) }
        }
        for index in 0..<4 {
            let before = try ledger.lastPosition()
            let report = try ledger.backup(to: temporary.folder + "/\(index).backup")
            #expect(report.position >= before)
        }
        try await writing.value
    }
}

func names(_ folder: String) throws -> [String] { try FileDescriptor(opening: folder, .folder).names().sorted() }
