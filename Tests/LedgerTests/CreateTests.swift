import SessionDomain
import SystemCalls
import Testing

@testable import CaptureLedger

@Suite struct CreateTests {
    @Test(arguments: ["", "-wal"]) func `an init that was interrupted before the database had its name is finished by the next`(
        leftover: String
    ) throws {
        let folder = try FileSystem.makeTemporaryFolder()
        defer { try? removeTree(folder) }
        let options = CreateOptions(configurationFolder: folder + "/config")
        let path = folder + "/my.ledger"
        let first = try Ledger.create(folder: path, options: options)
        // As a crash before the last rename leaves it, half a new database included.
        try FileSystem.rename(path + "/ledger.sqlite", to: path + "/ledger.sqlite.new")
        _ = try FileDescriptor(opening: path + "/ledger.sqlite.new" + leftover, .writeOrCreate)
        let second = try Ledger.create(folder: path, options: options)
        #expect(second.masterKey == first.masterKey)
        let ledger = try Ledger.open(folder: path)
        defer { ledger.closeAndWait() }
        #expect(try ledger.start(StartRequest(configuration: configuration([.selfie]))).positions == [1])
    }

    @Test func `an init with a key that is of no use leaves nothing behind`() throws {
        let folder = try FileSystem.makeTemporaryFolder()
        defer { try? removeTree(folder) }
        let key = folder + "/key"
        try FileDescriptor(opening: key, .createNew, mode: 0o600).write(Array("no key".utf8))
        for (reference, code): (MasterKeyReference, String) in [
            (.file(key), "master_key_malformed"), (.command("exit 3"), "master_key_missing"),
        ] {
            var options = CreateOptions(configurationFolder: folder + "/config")
            options.masterKey = reference
            let error = #expect(throws: LedgerError.self) {
                try Ledger.create(folder: folder + "/my.ledger", options: options)
            }
            #expect(error?.code.rawValue == code)
            #expect(try FileStatus.of(folder + "/my.ledger") == nil && FileStatus.of(folder + "/config") == nil)
        }
    }

    @Test func `what a group shares lies beside the ledger, for the group alone`() throws {
        let folder = try FileSystem.makeTemporaryFolder()
        defer { try? removeTree(folder) }
        // The group of this process is one that it may give files to.
        guard let own = try FileStatus.of(folder)?.group, let name = try groupName(own) else { return }
        var options = CreateOptions(configurationFolder: folder + "/config")
        options.group = name
        let created = try Ledger.create(folder: folder + "/my.ledger", options: options)
        #expect(created.masterKey == .file(folder + "/my.ledger.keys/master.key"))
        #expect(try FileStatus.of(folder + "/config") == nil)
        // The key is read by the group and written by nobody but its owner.
        let modes: [(String, UInt32)] = [
            ("my.ledger.keys/master.key", 0o640), ("my.ledger.keys/tombstones.jsonl", 0o660),
            ("my.ledger/ledger.sqlite", 0o660),
        ]
        for (path, mode) in modes {
            let status = try #require(try FileStatus.of(folder + "/" + path))
            #expect(status.mode & 0o777 == mode && status.group == own, "\(path)")
        }
        #expect(try FileStatus.of(folder + "/my.ledger.keys")?.mode == 0o2770)
    }

    /// The name of a group by its number, from group(5).
    private func groupName(_ number: UInt32) throws -> String? {
        let text = String(decoding: try FileDescriptor(opening: "/etc/group", .read).readToEnd(limit: 1 << 20), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count > 2, fields[2] == String(number) { return String(fields[0]) }
        }
        return nil
    }

    @Test func `a second init does nothing to a ledger`() throws {
        let temporary = try TemporaryLedger()
        let session = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        #expect {
            try Ledger.create(
                folder: temporary.path, options: CreateOptions(configurationFolder: temporary.folder + "/config"))
        } throws: {
            ($0 as? LedgerError)?.code.rawValue == "ledger_exists"
        }
        #expect(try temporary.ledger.session(session).flow.version == 1)
    }

    @Test func `a folder that holds no ledger, a wrong master key and a missing one are told apart`() throws {
        let temporary = try TemporaryLedger()
        #expect { try Ledger.open(folder: temporary.folder) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "no_such_ledger"
        }
        let created = try #require(temporary.ledger.settings.masterKey?.text)
        let file = try FileDescriptor(opening: created, .write)
        try file.write(Array(String(repeating: "0", count: 64).utf8))
        #expect { try temporary.reopened() } throws: { ($0 as? LedgerError)?.code.rawValue == "wrong_master_key" }
        _ = try FileSystem.remove(created)
        #expect { try temporary.reopened() } throws: { ($0 as? LedgerError)?.code.rawValue == "master_key_missing" }
    }
}
