import EventCoding
import EventStorage
import SQLite
package import SessionDomain
import SystemCalls
import Vault

/// Where a new ledger's master key comes from and who may use the ledger.
package struct CreateOptions: Sendable {
    /// nil: a new key in the user's configuration folder.
    package var masterKey: MasterKeyReference?
    /// A Unix group whose members may use the ledger too.
    package var group: String?
    /// `$XDG_CONFIG_HOME`, or `~/.config`.
    package var configurationFolder: String
    package var clock = LedgerClock.system

    package init(configurationFolder: String) { self.configurationFolder = configurationFolder }
}

extension Ledger {
    package struct Created: Sendable {
        package let folder: String
        package let ledgerID: UUID128
        package let epoch: UUID128
        package let masterKey: MasterKeyReference
    }

    /// Makes a ledger: settings, database, keys, folders. It does nothing to a folder that holds a ledger.
    ///
    /// - Throws: `ledger_exists`, `folder_not_empty`, `no_such_group`, and what the file system refuses.
    package static func create(folder: String, options: CreateOptions) throws(LedgerError) -> Created {
        let files = LedgerFiles(folder: folder)
        if (try? FileStatus.of(files.database)) ?? nil != nil {
            throw LedgerError(
                code: .init(rawValue: "ledger_exists"), message: "There is a ledger in \(folder) already.",
                remedy: "Use it as it is, or name another folder.")
        }
        var access = FileAccess.owner
        if let group = options.group {
            guard let number = try called({ () throws(SystemError) in try FileAccess.groupNumber(named: group) }) else {
                throw LedgerError(
                    code: .init(rawValue: "no_such_group"), message: "This machine has no group \(group).",
                    remedy: "Make it with `groupadd`, or name one of `getent group`.")
            }
            access = .group(number)
        }
        let now = options.clock.nowMilliseconds()
        let ledgerID = Identifiers.fresh(atMilliseconds: now)
        let epoch = Identifiers.fresh(atMilliseconds: now)
        let own = "\(options.configurationFolder)/capture-ledger/\(ledgerID.text)"
        let tombstones = own + "/tombstones.jsonl"
        let reference = options.masterKey ?? .file(own + "/master.key")

        try called { () throws(SystemError) in
            try FileSystem.makeFolder(folder, access: access)
            try FileSystem.makeFolder(own, access: .owner)
        }
        let master = try masterKey(reference, isGiven: options.masterKey != nil, access)
        let hold = try called { () throws(SystemError) in
            try WriterLock(turnPath: files.turn, writerPath: files.writer, access: access).acquire()
        }
        _ = try unlocked { () throws(VaultError) in
            try Vault.create(folder: folder, masterKey: master, access: access)
        }
        try called { () throws(SystemError) in
            try Tombstones.makeFile(tombstones, access: access)
            try write(Settings.template(masterKey: reference, tombstones: tombstones, group: options.group), files, access)
            let database = try FileDescriptor(opening: files.database + ".new", .writeOrCreate, mode: access.fileMode)
            try access.apply(to: database, mode: access.fileMode)
        }
        try translated { () throws(StorageError) in
            let connection = try EventDatabase.create(
                at: files.database + ".new", ledgerID: ledgerID, epoch: epoch, codeNames: CodeNames.all, nowMilliseconds: now)
            _ = try stored { () throws(SQLiteError) in try connection.checkpoint(.truncate) }
        }
        // The database gets its name last: a folder without it is no ledger, and init can be repeated.
        try called { () throws(SystemError) in
            for suffix in ["-wal", "-shm"] { _ = try FileSystem.remove(files.database + ".new" + suffix) }
            try FileSystem.rename(files.database + ".new", to: files.database)
            try FileSystem.synchronizeFolder(folder)
        }
        _ = consume hold
        return Created(folder: folder, ledgerID: ledgerID, epoch: epoch, masterKey: reference)
    }

    private static func masterKey(
        _ reference: MasterKeyReference, isGiven: Bool, _ access: FileAccess
    ) throws(LedgerError) -> MasterKey {
        guard let source = MasterKeySource(reference.text) else {
            throw LedgerError(
                code: .init(rawValue: "master_key_missing"), message: "\(reference.text) names no master key.",
                remedy: "Give a file, credential:NAME or command:C.")
        }
        return try unlocked { () throws(VaultError) in
            if case .file(let path) = source, (try? FileStatus.of(path)) ?? nil == nil {
                return try MasterKey.create(at: path, sharedAs: access)
            }
            return try MasterKey.load(source, sharedAs: access)
        }
    }

    private static func write(_ text: String, _ files: LedgerFiles, _ access: FileAccess) throws(SystemError) {
        if try FileStatus.of(files.settings) != nil { return }
        let file = try FileDescriptor(opening: files.settings, .writeOrCreate, mode: access.fileMode)
        try access.apply(to: file, mode: access.fileMode)
        try file.write(Array(text.utf8))
        try file.synchronize()
    }
}

/// The names of the codes that this version writes, kept in the ledger for people with other tools.
enum CodeNames {
    static var all: [(kind: String, code: Int, name: String)] {
        EventType.allCases.map { ("type", $0.code, $0.name) } + Piece.allCases.map { ("piece", $0.code, $0.rawValue) }
            + CaptureSource.allCases.map { ("source", $0.code, $0.rawValue) }
            + OutcomeCode.allCases.map { ("outcome", $0.rawValue, $0.name) }
    }
}
