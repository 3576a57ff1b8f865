import EventStorage
import Glibc
import SQLite
import SessionDomain
import Synchronization
import SystemCalls
import TestSupport
import Testing
import Vault

@testable import CaptureLedger

@Suite struct DoctorTests {
    @Test func `a sound ledger has nothing to be done, and looking changes nothing`() throws {
        let temporary = try TemporaryLedger()
        var history = VariedHistory(temporary.ledger, seed: SeededRandom.seed(for: "doctor"))
        try history.run(steps: 120)
        let before = try tree(temporary.path)
        let report = try temporary.ledger.doctor(fix: false)
        #expect(report.isHealthy, "\(report.findings)")
        #expect(report.sqliteVersion == Connection.libraryVersion && report.schemaVersion == Migrator.current)
        #expect(report.lastPosition == (try temporary.ledger.lastPosition()))
        if Connection.libraryVersionNumber < 3_051_003 {
            #expect(report.findings.contains { $0.code == "sqlite_wal_reset" && $0.severity == .note })
        }
        #expect(try tree(temporary.path) == before)
        #expect(try temporary.ledger.doctor(fix: true).findings.allSatisfy { $0.severity == .note })
        try expectSound(temporary.ledger)
        try expectOpens(temporary.ledger, history.sessions, except: history.erased)
    }

    @Test func `what a crash left between sealing and its event is collected, a capture in flight never`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        let key = try ledger.sessionKey(session)
        let crashed = ObjectID(Identifiers.fresh(atMilliseconds: 1))
        let answer = ObjectID(Identifiers.fresh(atMilliseconds: 2))
        let flying = ObjectID(Identifiers.fresh(atMilliseconds: 3))
        let writing = ObjectID(Identifiers.fresh(atMilliseconds: 4))
        // Dropped at once: sealed and durable, no longer locked, named by nobody.
        _ = try ledger.keys.write(.media, crashed, key: key, [1, 2, 3])
        _ = try ledger.keys.write(.evidence, answer, key: key, [1, 2, 3])
        let staged = temporary.path + "/media/staging/" + Identifiers.fresh(atMilliseconds: 5).text
        try FileDescriptor(opening: staged, .createNew).write([1])
        let sealed = try ledger.keys.write(.media, flying, key: key, [1, 2, 3])
        let writer = try ledger.keys.write(.media, writing, key: key)
        try writer.append([1])

        let seen = try ledger.doctor(fix: false)
        #expect(
            seen.findings.filter { $0.severity != .note }.map(\.code) == ["staging_left", "orphan_file", "orphan_evidence"])
        #expect(!seen.isHealthy)
        #expect(try ledger.keys.exists(.media, crashed))
        let fixed = try ledger.doctor(fix: true)
        #expect(
            fixed.findings.filter(\.fixed).map(\.code) == ["staging_left", "orphan_file", "orphan_evidence"] && fixed.isHealthy)
        #expect(fixed.findings.first { $0.code == "orphan_file" }?.message.hasPrefix("1 ") == true)
        #expect(try !ledger.keys.exists(.media, crashed) && !ledger.keys.exists(.evidence, answer))
        #expect(try FileStatus.of(staged) == nil)
        #expect(try ledger.keys.exists(.media, flying))
        #expect(try writer.finish().plainByteCount == 1)
        withExtendedLifetime(sealed) {}
        #expect(try ledger.doctor(fix: true).isHealthy)
    }

    @Test func `answers are left alone while a worker runs`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        let answer = ObjectID(Identifiers.fresh(atMilliseconds: 2))
        _ = try ledger.keys.write(.evidence, answer, key: ledger.sessionKey(session), [1])
        let workers = try [1, 2].map { try ledger.workerLocks.take("worker-\($0)") }
        for fix in [false, true] {
            let report = try ledger.doctor(fix: fix)
            #expect(report.findings.contains { $0.code == "sync_running" } && report.isHealthy)
            #expect(try ledger.keys.exists(.evidence, answer))
        }
        withExtendedLifetime(workers) {}
    }

    @Test func `no worker begins while answers are compared with the log`() async throws {
        let temporary = try TemporaryLedger()
        let locks = try temporary.ledger.workerLocks
        let began = Mutex(false)
        let worker: Task<Void, any Error>
        do {
            let exclusion = try #require(try locks.exclude())
            worker = Task.detached {
                let lock = try locks.take("worker")
                began.withLock { $0 = true }
                withExtendedLifetime(lock) {}
            }
            #expect(try locks.areHeld())
            usleep(20_000)
            #expect(!began.withLock { $0 })
            withExtendedLifetime(exclusion) {}
        }
        try await worker.value
        #expect(began.withLock { $0 })
    }

    @Test func `a file whose destruction is on record is destroyed`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let (session, id) = try captured(ledger)
        let purge = PurgeMedia(piece: .selfie, captureID: id, cause: "answered", bytes: 1, commitment: nil)
        _ = try ledger.perform(.purgeMedia(purge), "purge", [], session, CommandOptions())
        let report = try ledger.doctor(fix: false)
        #expect(report.findings.filter { $0.severity == .error }.map(\.code) == ["purged_file_present"])
        #expect(try ledger.doctor(fix: true).isHealthy)
        #expect(try !ledger.keys.exists(.media, ObjectID(id.uuid)))
        #expect(try ledger.doctor(fix: false).isHealthy)
    }

    @Test func `an original that is lost is an error that cannot be mended`() throws {
        let temporary = try TemporaryLedger()
        let (_, id) = try captured(temporary.ledger)
        _ = try temporary.ledger.keys.remove(.media, ObjectID(id.uuid))
        let report = try temporary.ledger.doctor(fix: true)
        #expect(report.findings.contains { $0.code == "media_missing" && $0.severity == .error && !$0.fixed })
        #expect(!report.isHealthy)
    }

    @Test func `an erasure that a crash interrupted is seen, and finished`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let (session, id) = try captured(ledger)
        try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            let request = CommandRequest(
                session: session, command: .erase, commandID: Ledger.freshCommandID(1), body: Ledger.body("erase", []))
            _ = try context.perform(request)
            guard let open = try context.session(session) else { return .failure(.closed) }
            try translated { () throws(StorageError) in
                try context.writer.beginErasure(session: open.row.number, atMilliseconds: 1)
            }
            return .success(())
        }
        var options = LedgerOptions()
        options.isReadOnly = true
        let reader = try Ledger.open(folder: temporary.path, options: options)
        #expect(try reader.doctor(fix: false).findings.contains { $0.code == "erasure_unfinished" && !$0.fixed })
        #expect { try reader.doctor(fix: true) } throws: { ($0 as? LedgerError)?.code.rawValue == "read_only" }
        #expect(try ledger.doctor(fix: true).findings.contains { $0.code == "erasure_unfinished" && $0.fixed })
        #expect(try !ledger.keys.exists(.media, ObjectID(id.uuid)))
        #expect(try ledger.doctor(fix: false).isHealthy)
    }

    @Test func `tombstones that are missing, damaged or incomplete are named`() throws {
        let temporary = try TemporaryLedger()
        let (session, _) = try captured(temporary.ledger)
        _ = try temporary.ledger.erase(session)
        let path = try #require(temporary.ledger.settings.tombstonePath(in: temporary.path))
        func codes() throws -> [String] {
            try temporary.ledger.doctor(fix: false).findings.filter { $0.severity == .error }.map(\.code)
        }
        #expect(try codes() == [])
        try FileSystem.rename(path, to: path + ".away")
        #expect(try codes() == ["tombstones_missing"])
        try FileDescriptor(opening: path, .createNew).write([])
        #expect(try codes() == ["tombstones_incomplete"])
        try FileDescriptor(opening: path, .append).write(Array("half".utf8))
        #expect(try codes() == ["tombstones_damaged"])
    }

    @Test func `a master key that is gone, exposed or another's is named, also without it`() throws {
        let temporary = try TemporaryLedger()
        _ = try captured(temporary.ledger)
        guard case .file(let path) = temporary.ledger.settings.masterKey else {
            Issue.record("\(temporary.ledger.settings.masterKey)")
            return
        }
        func codes() throws -> [String] {
            var options = LedgerOptions()
            options.isReadOnly = true
            return try Ledger.open(folder: temporary.path, options: options).doctor(fix: false).findings.filter {
                $0.severity == .error
            }.map(\.code)
        }
        #expect(try codes() == [])
        try FileSystem.rename(path, to: path + ".away")
        #expect(try codes() == ["master_key_missing"])
        _ = try MasterKey.create(at: path)
        #expect(try codes() == ["wrong_master_key"])
        _ = try FileSystem.remove(path)
        let bytes = try FileDescriptor(opening: path + ".away", .read).readToEnd(limit: 128)
        try shell("umask 0 && touch \(path)")
        try FileDescriptor(opening: path, .write).write(bytes)
        #expect(try codes() == ["master_key_exposed"])
    }

    @Test func `a damaged database is named and nothing is repaired in it`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        for _ in 0..<40 { _ = try ledger.start(StartRequest(configuration: configuration([.selfie]))) }
        let orphan = ObjectID(Identifiers.fresh(atMilliseconds: 1))
        let (session, _) = try captured(ledger)
        _ = try ledger.keys.write(.media, orphan, key: ledger.sessionKey(session), [1])
        ledger.closeAndWait()
        // A page of an index, which only a check looks at.
        let path = temporary.path + "/ledger.sqlite"
        let page = try Connection(path: path, mode: .read)
        let find = try Statement(page, "SELECT rootpage FROM sqlite_schema WHERE name = 'private_lookup_of_session'")
        #expect(try find.step())
        try shell(
            "printf '\\377\\377' | dd of=\(path) bs=1 seek=$(((\(find.int64(0)) - 1) * 8192 + 3)) conv=notrunc status=none")
        let reopened = try Ledger.open(folder: temporary.path)
        defer { reopened.closeAndWait() }
        let report = try reopened.doctor(fix: true)
        #expect(report.findings.contains { $0.code == "database_damaged" && $0.severity == .error })
        #expect(report.findings.allSatisfy { !$0.fixed })
        #expect(try reopened.keys.exists(.media, orphan))
    }

    @Test func `wide permissions and a clock that stands behind are named`() throws {
        let now = Turnable(1_800_000_000_000)
        let temporary = try TemporaryLedger(clock: LedgerClock { now.value })
        let ledger = temporary.ledger
        _ = try captured(ledger)
        try shell("chmod o+rx \(temporary.path)/keys")
        now.value -= 86_400_000
        let report = try ledger.doctor(fix: false)
        #expect(Set(report.findings.filter { $0.severity != .note }.map(\.code)) == ["clock_behind", "permissions_wide"])
    }
}

extension DoctorTests {
    @Test func `an older copy put in the ledger's place by hand is seen by everything that stands ahead of it`() async throws {
        let temporary = try TemporaryLedger()
        var ledger = temporary.ledger
        let (person, _) = try captured(ledger)
        let copy = temporary.folder + "/copy"
        ledger.closeAndWait()
        try shell("cp -a \(temporary.path) \(copy)")
        ledger = try temporary.reopened()
        _ = try captured(ledger)
        _ = try ledger.erase(person)
        try FollowerCursor("crm", of: ledger).move(to: try ledger.lastPosition())
        ledger.closeAndWait()
        try shell("cp -a \(temporary.path)/followers \(copy)/ && rm -r \(temporary.path) && mv \(copy) \(temporary.path)")
        let old = try temporary.reopened()
        defer { old.closeAndWait() }
        let seen = try old.doctor(fix: false).findings.filter { $0.severity == .error }
        #expect(Set(seen.map(\.code)) == ["follower_ahead", "erased_returned"])
        await #expect { try await old.follow(as: "crm") { _ in } } throws: {
            ($0 as? LedgerError)?.code.rawValue == "cursor_ahead"
        }
        let fixed = try old.doctor(fix: true)
        #expect(fixed.findings.filter(\.fixed).map(\.code) == ["erased_returned"])
        #expect(try old.session(person).flow.status == .erased)
        try FileSystem.remove(temporary.path + "/followers/crm.cursor")
        #expect(try old.doctor(fix: false).findings.allSatisfy { $0.severity == .note })
    }

    @Test func `a restore is no such copy: a reader's cursor of the old epoch goes back to where the backup ended`() throws {
        let temporary = try TemporaryLedger()
        _ = try captured(temporary.ledger)
        let saved = try temporary.ledger.backup(to: temporary.folder + "/a.backup")
        _ = try captured(temporary.ledger)
        try FollowerCursor("crm", of: temporary.ledger).move(to: try temporary.ledger.lastPosition())
        let report = try Ledger.restore(from: temporary.folder + "/a.backup", to: temporary.folder + "/restored")
        try shell("cp -a \(temporary.path)/followers \(report.folder)/")
        let restored = try Ledger.open(folder: report.folder)
        defer { restored.closeAndWait() }
        let found = try restored.doctor(fix: false)
        #expect(found.isHealthy && found.findings.contains { $0.code == "follower_restored" })
        #expect(try FollowerCursor("crm", of: restored).position(in: restored) == saved.position)
    }

    @Test func `events that are in no backup for a week are named, and a backup or increment ends it`() throws {
        let now = Turnable(1_800_000_000_000)
        let temporary = try TemporaryLedger(clock: LedgerClock { now.value })
        let ledger = temporary.ledger
        func codes() throws -> [String] {
            try ledger.doctor(fix: false).findings.filter { $0.severity != .note }.map(\.code)
        }
        _ = try captured(ledger)
        #expect(try codes() == [])
        now.value += 7 * 86_400_000
        #expect(try codes() == ["backup_never"])
        _ = try ledger.backup(to: temporary.folder + "/a.backup")
        #expect(try codes() == [])
        _ = try captured(ledger)
        now.value += 8 * 86_400_000
        #expect(try codes() == ["backup_old"])
        _ = try ledger.backup(to: temporary.folder + "/b.backup", since: .backup(temporary.folder + "/a.backup"))
        #expect(try codes() == [])
    }

    @Test func `what a killed worker left, a lost answer, a damaged cursor and a checkpoint beyond the log are named`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        var history = VariedHistory(ledger, seed: 3)
        repeat { try history.run(steps: 40) } while try dump(ledger, "attempt").isEmpty
        try FileSystem.makeFolder(temporary.path + "/workers")
        try FileDescriptor(opening: temporary.path + "/workers/dead", .createNew).write([])
        try FileSystem.makeFolder(temporary.path + "/followers")
        try FileDescriptor(opening: temporary.path + "/followers/crm.cursor", .createNew).write(Array("half".utf8))
        let report = try ledger.doctor(fix: false)
        #expect(report.findings.contains { $0.code == "worker_left" && $0.severity == .note })
        #expect(report.findings.filter { $0.severity != .note }.map(\.code) == ["follower_damaged"])
        #expect(try ledger.doctor(fix: true).findings.contains { $0.code == "worker_left" && $0.fixed })
        #expect(try FileStatus.of(temporary.path + "/workers/dead") == nil)
        try FileSystem.remove(temporary.path + "/followers/crm.cursor")
        let foreign = try EventDatabase.openForWriting(ledger.files.database)
        try foreign.execute(
            "INSERT INTO checkpoint VALUES ((SELECT max(position) + 1 FROM event), zeroblob(32), 1, 1, 'none')")
        let kept = try #require(history.sessions.first { !history.erased.contains($0) && evidence(of: $0, ledger) != nil })
        let gone = try #require(evidence(of: kept, ledger))
        try FileSystem.remove(ledger.files.sealed(.evidence, gone))
        #expect(
            Set(try ledger.doctor(fix: false).findings.filter { $0.severity != .note }.map(\.code)) == [
                "checkpoint_ahead", "evidence_missing",
            ])
    }

    private func evidence(of session: SessionID, _ ledger: Ledger) -> ObjectID? {
        let deliveries = (try? ledger.deliveries(of: session)) ?? []
        return deliveries.lazy.compactMap { delivery in
            try? ledger.read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in
                    try context.outbox.attempts(ofDelivery: delivery.number).compactMap(\.evidenceID).first.map(ObjectID.init)
                }
            }
        }.first { ((try? FileStatus.of(ledger.files.sealed(.evidence, $0))) ?? nil) != nil }
    }

    @Test func `every finding says what it is and what to do`() throws {
        let sources =
            FileSystem.parent(of: FileSystem.parent(of: FileSystem.parent(of: #filePath))) + "/Sources/CaptureLedger/Doctor"
        var codes: Set<String> = []
        for name in try names(sources) {
            let text = String(
                decoding: try FileDescriptor(opening: sources + "/" + name, .read).readToEnd(limit: 1 << 20), as: UTF8.self)
            for found in text.matches(of: /"([a-z_]+)", \.(?:note|warning|error),/) { codes.insert(String(found.1)) }
        }
        #expect(codes.count > 25)
        let runbook = String(
            decoding: try FileDescriptor(
                opening: FileSystem.parent(of: FileSystem.parent(of: FileSystem.parent(of: #filePath))) + "/docs/runbook.md",
                .read
            ).readToEnd(limit: 1 << 20), as: UTF8.self)
        for code in codes { #expect(runbook.contains("### \(code)\n"), "\(code)") }
    }
}

private final class Turnable: @unchecked Sendable {
    var value: Int64
    init(_ value: Int64) { self.value = value }
}

private func captured(_ ledger: Ledger) throws -> (SessionID, CaptureID) {
    let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
    let done = try ledger.capture(
        CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
    guard case .captured(let id, _) = done.outcome else { throw LedgerError.closed }
    return (session, id)
}

private func shell(_ command: String) throws {
    let result = try ChildProcess.run(
        path: "/bin/sh", arguments: ["sh", "-c", command], limitMilliseconds: 10_000, outputLimit: 4096)
    #expect(result.end == .exited(0))
}
