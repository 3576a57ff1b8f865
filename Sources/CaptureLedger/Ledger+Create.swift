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
        var options = options
        options.masterKey = options.masterKey?.absolute
        let files = LedgerFiles(folder: folder)
        if (try? FileStatus.of(files.database)) ?? nil != nil {
            throw .exists(folder)
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
        // A given key that is of no use is known before anything names it.
        if let given = options.masterKey, !isYetToBeMade(given) { _ = try masterKey(given, access) }
        let now = options.clock.nowMilliseconds()
        let ledgerID = Identifiers.fresh(atMilliseconds: now)
        let epoch = Identifiers.fresh(atMilliseconds: now)
        // What a group shares cannot lie in one member's home: it lies beside the ledger.
        let own =
            options.group == nil
            ? "\(options.configurationFolder)/capture-ledger/\(ledgerID.text)" : FileSystem.absolute(folder) + ".keys"
        try called { () throws(SystemError) in try FileSystem.makeFolder(folder, access: access) }
        // Two inits at once: the second finds a ledger.
        let hold = try called { () throws(SystemError) in
            try WriterLock(turnPath: files.turn, writerPath: files.writer, access: access).acquire()
        }
        guard try called({ () throws(SystemError) in try FileStatus.of(files.database) }) == nil else { throw .exists(folder) }
        // Settings that are there already, from an init that was interrupted or from the user, say where the key is.
        let (reference, tombstones) = try settle(
            files, options, access, key: .file(own + "/master.key"), tombstones: own + "/tombstones.jsonl")
        for path in [tombstones] + reference.filePath {
            try called { () throws(SystemError) in try FileSystem.makeFolder(FileSystem.parent(of: path), access: access) }
        }
        let master = try masterKey(reference, access)
        _ = try unlocked { () throws(VaultError) in
            do throws(VaultError) { return try Vault.create(folder: folder, masterKey: master, access: access) } catch {
                // An init that was interrupted after this step: its keys are good if this master key opens them.
                guard error.code == .vaultExists else { throw error }
                return try Vault.open(folder: folder, masterKey: master)
            }
        }
        try called { () throws(SystemError) in
            try Tombstones.makeFile(tombstones, access: access)
            for suffix in ["", "-wal", "-shm"] { _ = try FileSystem.remove(files.database + ".new" + suffix) }
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

    private static func isYetToBeMade(_ reference: MasterKeyReference) -> Bool {
        if case .file(let path) = reference { (try? FileStatus.of(path)) ?? nil == nil } else { false }
    }

    private static func masterKey(_ reference: MasterKeyReference, _ access: FileAccess) throws(LedgerError) -> MasterKey {
        try unlocked { () throws(VaultError) in
            if case .file(let path) = reference, isYetToBeMade(reference) {
                return try MasterKey.create(at: path, sharedAs: access)
            }
            return try MasterKey.load(reference, sharedAs: access)
        }
    }

    /// Writes the settings whole or not at all, unless there are some.
    private static func settle(
        _ files: LedgerFiles, _ options: CreateOptions, _ access: FileAccess, key: MasterKeyReference, tombstones: String
    ) throws(LedgerError) -> (MasterKeyReference, String) {
        if (try? FileStatus.of(files.settings)) ?? nil != nil {
            let settings = try settings(of: files, environment: [:])
            if let named = settings.masterKey, let path = settings.tombstonePath(in: files.folder) {
                guard options.masterKey == nil || options.masterKey == named else {
                    throw LedgerError(
                        code: .init(rawValue: "settings_name_another_key"),
                        message: "\(files.settings) is there already and names another master key.",
                        remedy: "Leave --master-key out, or remove that file.")
                }
                return (named, path)
            }
            throw LedgerError(
                code: .init(rawValue: "settings_incomplete"),
                message: "\(files.settings) is there already and does not name a master key and a tombstone file.",
                remedy: "Name both in it, or remove it so that init can write it.")
        }
        let reference = options.masterKey ?? key
        let text = Settings.template(masterKey: reference, tombstones: tombstones, group: options.group)
        try SettingsFile(files, access).write(text)
        return (reference, tombstones)
    }
}

extension LedgerError {
    fileprivate static func exists(_ folder: String) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "ledger_exists"), message: "There is a ledger in \(folder) already.",
            remedy: "Use it as it is, or name another folder.")
    }
}

extension MasterKeyReference {
    fileprivate var filePath: [String] {
        if case .file(let path) = self, path.hasPrefix("/") { [path] } else { [] }
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
