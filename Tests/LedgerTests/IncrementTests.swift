import EventStorage
import SQLite
import SessionDomain
import Synchronization
import SystemCalls
import TestSupport
import Testing
import Vault

@testable import CaptureLedger

@Suite struct IncrementTests {
    @Test func `a backup and its increments are the ledger, whatever was erased, purged and delivered between them`() throws {
        for seed in SeededRandom.seeds(for: "increments") {
            let temporary = try TemporaryLedger()
            let ledger = temporary.ledger
            var history = VariedHistory(ledger, seed: seed)
            try history.run(steps: 60)
            let base = temporary.folder + "/base.backup"
            let first = try ledger.backup(to: base)
            var options = RestoreOptions()
            for index in 0..<3 {
                try history.run(steps: 30)
                let path = temporary.folder + "/\(index).increment"
                let made = try ledger.backup(
                    to: path,
                    since: index == 1
                        ? .position(try position(of: options.increments[0])) : .backup(options.increments.last ?? base))
                #expect(made.missing == [] && made.bytes < first.bytes + made.bytes)
                options.increments.append(path)
            }
            let report = try Ledger.restore(from: base, to: temporary.folder + "/restored", options: options)
            #expect(report.position == (try ledger.lastPosition()))
            let restored = try Ledger.open(folder: report.folder)
            defer { restored.closeAndWait() }
            for table in [
                "flow", "delivery", "delivery_work", "attempt", "receipt", "private_lookup", "session", "configuration",
                "destination_state", "session_pause", "media_destruction",
            ] {
                #expect(try dump(restored, table) == dump(ledger, table), "\(table), seed \(seed)")
            }
            #expect(try restored.events(after: report.position).map(\.type) == ["ledger_restored"])
            #expect(try sealedFiles(restored) == sealedFiles(ledger), "seed \(seed)")
            try expectSound(restored)
            try expectOpens(restored, history.sessions, except: history.erased)
            let drill = try Ledger.drill(base, options: options)
            #expect(drill.isGood && drill.restored.position == report.position && drill.seconds > 0)
        }
    }

    @Test func `an increment goes behind its base and nowhere else`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        func grow() throws { _ = try ledger.start(StartRequest(configuration: configuration([.selfie]))) }
        func path(_ name: String) -> String { temporary.folder + "/" + name }
        try grow()
        _ = try ledger.backup(to: path("0"))
        for index in 1...3 {
            try grow()
            _ = try ledger.backup(to: path("\(index)"), since: .backup(path("\(index - 1)")))
        }
        let other = try TemporaryLedger()
        _ = try other.ledger.start(StartRequest(configuration: configuration([.selfie])))
        _ = try other.ledger.backup(to: path("other"))
        func refused(_ base: String, _ increments: [String], _ wanted: String) {
            var options = RestoreOptions()
            options.increments = increments.map(path)
            #expect("\(base) \(increments)") {
                _ = try Ledger.restore(from: path(base), to: path("restored"), options: options)
            } throws: {
                code($0) == wanted
            }
            #expect((try? names(temporary.folder).filter { $0.hasPrefix("restored") }) == [])
        }
        refused("0", ["2"], "increment_gap")
        refused("0", ["1", "3"], "increment_gap")
        refused("0", ["1", "1"], "increment_out_of_order")
        refused("0", ["2", "1"], "increment_gap")
        refused("0", ["0"], "increment_is_whole")
        refused("1", [], "increment_without_base")
        refused("1", ["2"], "increment_without_base")
        refused("other", ["1"], "backup_foreign")
        for (base, wanted) in [
            (BackupBase.backup(path("other")), "backup_foreign"), (.backup(path("none")), "no_such_file"),
            (.position(99), "no_such_position"),
        ] {
            #expect { try ledger.backup(to: path("new"), since: base) } throws: { code($0) == wanted }
            #expect(try names(temporary.folder).filter { $0.hasPrefix("new") } == [])
        }
    }

    @Test func `an increment of another line of the same ledger is refused on both sides`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        func grow(_ ledger: Ledger) throws { _ = try ledger.start(StartRequest(configuration: configuration([.selfie]))) }
        func path(_ name: String) -> String { temporary.folder + "/" + name }
        try grow(ledger)
        _ = try ledger.backup(to: path("base"))
        let fork = try Ledger.open(folder: try Ledger.restore(from: path("base"), to: path("fork.ledger")).folder)
        defer { fork.closeAndWait() }
        // the fork began with an event of its own: both end at one position
        for _ in 0..<2 { try grow(ledger) }
        try grow(fork)
        #expect(try ledger.lastPosition() == fork.lastPosition())
        _ = try ledger.backup(to: path("1"), since: .backup(path("base")))
        _ = try fork.backup(to: path("1f"), since: .backup(path("base")))
        #expect { try fork.backup(to: path("2f"), since: .backup(path("1"))) } throws: { code($0) == "backup_foreign" }
        try grow(ledger)
        _ = try ledger.backup(to: path("2"), since: .backup(path("1")))
        var options = RestoreOptions()
        options.increments = [path("1f"), path("2")]
        #expect { try Ledger.restore(from: path("base"), to: path("r"), options: options) } throws: {
            code($0) == "backup_foreign"
        }
        options.increments = [path("1"), path("2")]
        _ = try Ledger.restore(from: path("base"), to: path("r"), options: options)
    }

    @Test func `an altered increment is refused, and a drill leaves nothing behind`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        _ = try ledger.start(StartRequest(configuration: configuration([.selfie])))
        _ = try ledger.backup(to: temporary.folder + "/base")
        let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        _ = try ledger.capture(CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
        _ = try ledger.backup(to: temporary.folder + "/1", since: .backup(temporary.folder + "/base"))
        let original = try FileDescriptor(opening: temporary.folder + "/1", .read).readToEnd(limit: 16 << 20)
        var random = SeededRandom(seed: SeededRandom.seed(for: "altered increment"))
        var options = RestoreOptions()
        options.increments = [temporary.folder + "/altered"]
        for _ in 0..<20 {
            var altered = original
            altered[Int.random(in: 0..<altered.count, using: &random)] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            try FileDescriptor(opening: options.increments[0], .createNew).write(altered)
            #expect { try Ledger.drill(temporary.folder + "/base", options: options) } throws: {
                ["backup_damaged", "not_a_backup"].contains(code($0))
            }
            try FileSystem.remove(options.increments[0])
        }
    }

    @Test func `increments taken while others write are each one moment, and together the ledger`() async throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        _ = try ledger.start(StartRequest(configuration: configuration([.selfie])))
        let base = temporary.folder + "/base"
        _ = try ledger.backup(to: base)
        let isDone = Mutex(false)
        let writing = Task.detached {
            while !isDone.withLock({ $0 }) { _ = try ledger.start(StartRequest(configuration: configuration([.selfie]))) }
        }
        var options = RestoreOptions()
        for index in 0..<4 {
            _ = try ledger.start(StartRequest(configuration: configuration([.selfie])))
            let path = temporary.folder + "/\(index)"
            _ = try ledger.backup(to: path, since: .backup(options.increments.last ?? base))
            options.increments.append(path)
        }
        isDone.withLock { $0 = true }
        try await writing.value
        let drill = try Ledger.drill(base, options: options)
        #expect(drill.isGood && drill.restored.position > 4)
    }

    @Test func `a drill names an original that does not open`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        let done = try ledger.capture(
            CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
        guard case .captured(let id, _) = done.outcome else {
            Issue.record("\(done.outcome)")
            return
        }
        _ = try ledger.keys.remove(.media, ObjectID(id.uuid))
        let report = try ledger.backup(to: temporary.folder + "/base")
        #expect(report.missing.count == 1)
        let drill = try Ledger.drill(temporary.folder + "/base")
        #expect(!drill.isGood && drill.verification.problems.map(\.code.rawValue) == ["media_missing"])
    }

    private func position(of path: String) throws -> Int64 { try BackupManifest.of(path).position }

    private func sealedFiles(_ ledger: Ledger) throws -> [String] {
        try ["media", "evidence"].flatMap { try tree(ledger.files.folder + "/" + $0) }.map {
            String($0.dropFirst(ledger.files.folder.utf8.count))
        }.filter { !$0.contains("staging") }.sorted()
    }
}

private func code(_ error: any Error) -> String { (error as? LedgerError)?.code.rawValue ?? "\(error)" }
