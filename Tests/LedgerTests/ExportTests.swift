import Audit
import EventStorage
import SQLite
import SessionDomain
import SystemCalls
import TestSupport
import Testing
import Vault

@testable import CaptureLedger

@Suite struct ExportTests {
    /// What is made from other rows, or belongs to the file and not to the ledger.
    private static let derived: Set<String> = ["ledger", "code_name", "migration", "flow", "delivery", "tree_tile"]

    @Test func `every table that is not derived from others is carried, with every column`() throws {
        let temporary = try TemporaryLedger()
        func tables(_ connection: Connection) throws -> [String: [String]] {
            var found: [String: [String]] = [:]
            let names = try Statement(
                connection, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            while try names.step() {
                let name = names.text(0)
                let info = try Statement(connection, "SELECT name, lower(type) FROM pragma_table_info('\(name)')")
                while try info.step() { found[name, default: []].append("\(info.text(0)) \(info.text(1))") }
            }
            return found
        }
        let ledger = try tables(try EventDatabase.openForReading(temporary.ledger.files.database))
        let keys = try tables(try Connection(path: temporary.ledger.files.keys + "/keys.sqlite", mode: .read))
        let carried = Dictionary(
            uniqueKeysWithValues: RowTable.all.map { ($0.name, $0.columns.map { "\($0.name) \($0.kind.rawValue)" }) })
        for (name, columns) in ledger.merging(keys, uniquingKeysWith: { first, _ in first }) {
            if Self.derived.contains(name) {
                #expect(carried[name] == nil, "\(name)")
            } else {
                #expect(carried[name] == columns, "\(name)")
            }
        }
        #expect(Set(carried.keys).isSubset(of: Set(ledger.keys).union(keys.keys)))
    }

    @Test func `a random ledger comes through row by row, and its second export is the first one`() throws {
        for seed in SeededRandom.seeds(for: "export") {
            let temporary = try TemporaryLedger()
            let ledger = temporary.ledger
            var history = VariedHistory(ledger, seed: seed)
            try history.run(steps: 120)
            let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
            let options = try named("again")
            let first = try ledger.suspend(session, options)
            let path = temporary.folder + "/a.rows"
            let made = try ledger.export(to: path)
            #expect(made.position == (try ledger.lastPosition()))
            let report = try Ledger.importRows(from: path, to: temporary.folder + "/imported")
            #expect(report.position == made.position && report.rows == made.rows && report.erasedAgain == 0)
            let imported = try Ledger.open(folder: report.folder, options: reading())
            for table in RowTable.all where !table.isInKeys {
                #expect(try dump(imported, table.name) == dump(ledger, table.name), "\(table.name), seed \(seed)")
            }
            for table in ["flow", "delivery"] { #expect(try dump(imported, table) == dump(ledger, table), "\(table)") }
            #expect(imported.ledgerID == ledger.ledgerID && imported.epoch != ledger.epoch)
            _ = try imported.export(to: temporary.folder + "/b.rows")
            #expect(try content(of: temporary.folder + "/b.rows") == content(of: path))
            // everything but originals is there and opens, and what lies elsewhere is said
            let verified = try imported.verify()
            #expect(verified.isSound, "\(verified.problems)")
            let before = try ledger.verify()
            #expect(verified.sealedElsewhere == before.media + before.evidence)
            #expect(verified.events == before.events)
            #expect(verified.openedPrivateHalves == before.openedPrivateHalves && before.openedPrivateHalves > 0)
            #expect(try imported.doctor(fix: false).findings.allSatisfy { $0.severity == .note || $0.code == "clock_behind" })
            imported.closeAndWait()
            // a repeated command is the command that was done, and the next one goes on
            let going = try Ledger.open(folder: report.folder)
            defer { going.closeAndWait() }
            let again = try going.suspend(session, options)
            #expect(again.isRepeat && again.positions == first.positions)
            _ = try going.start(StartRequest(configuration: configuration([.selfie])))
            #expect(try going.lastPosition() == made.position + 1)
        }
    }

    @Test func `an original that is gone from an imported ledger's own events is missing, and a forged note excuses nothing`()
        throws
    {
        let temporary = try TemporaryLedger()
        _ = try taken(temporary.ledger)
        _ = try temporary.ledger.export(to: temporary.folder + "/a.rows")
        let report = try Ledger.importRows(from: temporary.folder + "/a.rows", to: temporary.folder + "/imported")
        let imported = try Ledger.open(folder: report.folder)
        defer { imported.closeAndWait() }
        let own = try taken(imported)
        #expect(try imported.verify().isSound)
        _ = try imported.keys.remove(.media, ObjectID(own.uuid))
        #expect(try imported.verify().problems.map(\.code.rawValue) == ["media_missing"])
        #expect(try imported.doctor(fix: false).findings.filter { $0.severity == .error }.map(\.code) == ["media_missing"])
        // another ledger's note, and one that was altered
        let other = try TemporaryLedger()
        _ = try other.ledger.keys.remove(.media, ObjectID(try taken(other.ledger).uuid))
        try FileSystem.copy(imported.files.elsewhere, to: other.ledger.files.elsewhere)
        #expect(try !other.ledger.verify().isSound)
    }

    @Test func `a ledger that signed, or was restored, is imported under an epoch of its own that its log tells of`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        _ = try taken(ledger)
        let signed = try ledger.makeCheckpoint()
        _ = try ledger.export(to: temporary.folder + "/a.rows")
        let first = try Ledger.importRows(from: temporary.folder + "/a.rows", to: temporary.folder + "/imported")
        let imported = try Ledger.open(folder: first.folder)
        defer { imported.closeAndWait() }
        #expect(imported.epoch == first.epoch && first.epoch != ledger.epoch)
        #expect(try imported.events(after: first.position).map(\.type) == ["ledger_restored"])
        var options = AuditOptions()
        options.checkpoints = [signed.note]
        options.key = signed.key
        let report = try imported.verify(options)
        #expect(report.isSound && report.provenThrough == signed.treeSize, "\(report.problems)")
        // two logs under one name would contradict each other: the next one it signs has another
        _ = try taken(imported)
        let next = try imported.makeCheckpoint()
        #expect(next.signed.checkpoint.origin != signed.signed.checkpoint.origin)
        #expect(try imported.verify(options).isSound)

        _ = try imported.export(to: temporary.folder + "/b.rows")
        let second = try Ledger.importRows(from: temporary.folder + "/b.rows", to: temporary.folder + "/again")
        let again = try Ledger.open(folder: second.folder)
        defer { again.closeAndWait() }
        #expect(again.epoch != imported.epoch)
        #expect(try again.verify(options).isSound)
    }

    @Test func `an erasure that waits has its window again where it is imported`() throws {
        let temporary = try TemporaryLedger()
        _ = try taken(temporary.ledger)
        let session = try #require(try temporary.ledger.events(after: 0).first?.session)
        _ = try temporary.ledger.requestErasure(session, window: 0)
        _ = try temporary.ledger.export(to: temporary.folder + "/a.rows")
        let tombstones = try #require(temporary.ledger.settings.tombstonePath(in: temporary.path))
        let report = try Ledger.importRows(from: temporary.folder + "/a.rows", to: temporary.folder + "/imported")
        #expect(try Tombstones.read(tombstones).isEmpty)
        let imported = try Ledger.open(folder: report.folder)
        defer { imported.closeAndWait() }
        #expect(try imported.session(session).flow.status != .erased)
        _ = try imported.withdrawErasure(session)
    }

    @Test func `nobody who was erased after the export comes back with it`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        _ = try taken(ledger)
        let erased = try #require(try ledger.events(after: 0).first?.session)
        _ = try ledger.export(to: temporary.folder + "/a.rows")
        _ = try ledger.erase(erased)
        let report = try Ledger.importRows(from: temporary.folder + "/a.rows", to: temporary.folder + "/imported")
        #expect(report.erasedAgain == 1 && report.tombstones == 1)
        let imported = try Ledger.open(folder: report.folder)
        defer { imported.closeAndWait() }
        #expect(try imported.session(erased).flow.status == .erased)
        #expect(try imported.events(after: report.position).map(\.type) == ["ledger_restored", "session_erased"])
        #expect(try imported.verify().isSound)
    }

    @Test func `an export that is altered, cut, reordered, doubled or made up leaves nothing behind`() throws {
        let temporary = try TemporaryLedger()
        var history = VariedHistory(temporary.ledger, seed: 5)
        try history.run(steps: 40)
        let path = temporary.folder + "/a.rows"
        _ = try temporary.ledger.export(to: path)
        let original = try content(of: path)
        var random = SeededRandom(seed: SeededRandom.seed(for: "altered export"))
        for _ in 0..<40 {
            var altered = original
            altered[Int.random(in: 0..<altered.count, using: &random)] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            try refuses(altered, temporary)
        }
        for cut in [0, 1, original.count / 2, original.count - 1] { try refuses(Array(original[..<cut]), temporary) }
        try refuses(original + Array("x".utf8), temporary)
        try refuses(original + original, temporary)
        try refuses(Array("hello\n".utf8), temporary)
        try refuses([UInt8](repeating: 0x61, count: 3 << 20), temporary)
        // with a digest that fits: the rows themselves are refused
        let lines = String(decoding: original, as: UTF8.self).split(separator: "\n").map(String.init)
        let rows = Array(lines[1..<(lines.count - 1)])
        func index(_ table: String) throws -> Int { try #require(rows.firstIndex { $0.hasPrefix("[\"\(table)\"") }) }
        let (event, receipt, key) = (try index("event"), try index("receipt"), try index("session_key"))
        for change: (inout [String]) -> Void in [
            { $0.swapAt(event, event + 1) }, { $0.remove(at: event + 1) }, { $0.insert($0[event], at: event) },
            { $0.remove(at: key) }, { $0.insert($0[receipt], at: receipt) }, { $0.insert($0[event], at: receipt + 1) },
            { $0[event] = $0[event].replacing("\",1,1,1,", with: "\",1,1,2,") }, { $0[event] = "[\"event\",1]" },
            { $0[event] = "[\"nothing\",1]" }, { $0[event] = "{}" }, { $0[event] = "[" },
            { $0[receipt] = $0[receipt].replacing("[\"receipt\",", with: "[\"receipt\",9") },
            { $0.append("[\"delivery_work\",999,0,0,0,null,0,null,null,null,null,0,0,null]") },
            {
                $0.append("[\"witnessed\",\"w\",1,1,null]")
                $0.append("[\"witnessed\",\"w\",1,1,null]")
            },
            { $0[event] = $0[event].replacing("{", with: "{ ") },
        ] {
            var changed = rows
            change(&changed)
            guard changed != rows else {
                Issue.record("a change changed nothing")
                continue
            }
            try refuses(sealed(lines[0], changed), temporary)
        }
        // and as it is, it is taken in
        let again = temporary.folder + "/again.rows"
        try FileDescriptor(opening: again, .createNew).write(sealed(lines[0], rows))
        #expect(try content(of: again) == original)
        _ = try Ledger.importRows(from: again, to: temporary.folder + "/imported")
    }

    @Test func `an export overwrites nothing, and an import needs tombstones and the right master key`() throws {
        let temporary = try TemporaryLedger()
        _ = try taken(temporary.ledger)
        let path = temporary.folder + "/a.rows"
        _ = try temporary.ledger.export(to: path)
        #expect(try FileStatus.of(path)?.mode == 0o600)
        #expect { try temporary.ledger.export(to: path) } throws: { code($0) == "file_exists" }
        #expect { try Ledger.importRows(from: path, to: temporary.path) } throws: { code($0) == "folder_not_empty" }
        #expect { try Ledger.importRows(from: path + "x", to: temporary.folder + "/x") } throws: { code($0) == "no_such_file" }
        _ = try MasterKey.create(at: temporary.folder + "/other.key")
        var options = RestoreOptions()
        options.masterKey = .file(temporary.folder + "/other.key")
        #expect { try Ledger.importRows(from: path, to: temporary.folder + "/x", options: options) } throws: {
            code($0) == "wrong_master_key"
        }
        options = RestoreOptions()
        options.tombstones = temporary.folder + "/none"
        #expect { try Ledger.importRows(from: path, to: temporary.folder + "/x", options: options) } throws: {
            code($0) == "tombstones_missing"
        }
        #expect(try names(temporary.folder).filter { $0.hasPrefix("x") } == [])
        let backup = temporary.folder + "/a.backup"
        _ = try temporary.ledger.backup(to: backup)
        #expect { try Ledger.importRows(from: backup, to: temporary.folder + "/x") } throws: { code($0) == "not_an_export" }
        #expect { try Ledger.restore(from: path, to: temporary.folder + "/x") } throws: { code($0) == "not_a_backup" }
    }

    private func refuses(_ content: [UInt8], _ temporary: TemporaryLedger) throws {
        let (path, folder) = (temporary.folder + "/altered.rows", temporary.folder + "/refused")
        try FileDescriptor(opening: path, .createNew).write(content)
        #expect { try Ledger.importRows(from: path, to: folder) } throws: {
            ["rows_damaged", "not_an_export", "needs_newer_version"].contains(code($0))
        }
        #expect(try FileStatus.of(folder) == nil && FileStatus.of(folder + ".part") == nil)
        try FileSystem.remove(path)
    }

    /// The file that these rows make.
    private func sealed(_ header: String, _ rows: [String]) -> [UInt8] {
        let text = ([header] + rows).map { $0 + "\n" }.joined()
        let digest = Hex.text(Digests.sha256(Array(text.utf8)))
        return Array((text + "{\"rows\":\(rows.count),\"sha256\":\"\(digest)\"}\n").utf8)
    }

    private func named(_ text: String) throws -> CommandOptions {
        var options = CommandOptions()
        options.commandID = try commandID(text)
        return options
    }
}

private func code(_ error: any Error) -> String { (error as? LedgerError)?.code.rawValue ?? "\(error)" }

private func content(of path: String) throws -> [UInt8] {
    try FileDescriptor(opening: path, .read).readToEnd(limit: 64 << 20)
}

func reading() -> LedgerOptions {
    var options = LedgerOptions()
    options.isReadOnly = true
    return options
}

/// A session with one original.
private func taken(_ ledger: Ledger) throws -> CaptureID {
    let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
    let done = try ledger.capture(
        CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
    guard case .captured(let id, _) = done.outcome else { throw LedgerError.closed }
    return id
}
