import SystemCalls
import Vault

/// What a ledger that comes back stands on: its settings, as the backup or the caller says, who may use it, and whom it must forget.
final class RestoreGround {
    let files: LedgerFiles
    let options: RestoreOptions
    private(set) var settings = Settings()
    private(set) var tombstones: [Tombstones.Entry] = []
    private(set) var access = FileAccess.owner

    init(in folder: String, _ options: RestoreOptions) {
        files = LedgerFiles(folder: folder)
        var options = options
        options.tombstones = options.tombstones.map(FileSystem.absolute)
        options.masterKey = options.masterKey?.absolute
        self.options = options
    }

    /// What the backup's settings say, with what the caller says otherwise; and the erasures, without which nothing is unpacked.
    ///
    /// - Throws: `tombstones_missing`, `tombstones_damaged`, `no_such_group`, `settings_not_changed`, and what the settings refuse.
    func settle(_ text: String) throws(LedgerError) {
        var text = text
        if let tombstones = options.tombstones { text = Settings.replacing("tombstones", with: tombstones, in: text) }
        if let masterKey = options.masterKey { text = Settings.replacing("master_key", with: masterKey.text, in: text) }
        do { settings = try Settings(Array(text.utf8), environment: options.environment) } catch { throw LedgerError(error) }
        guard options.tombstones == nil || options.tombstones == settings.tombstones,
            options.masterKey == nil || options.masterKey == settings.masterKey
        else {
            throw LedgerError(
                code: .init(rawValue: "settings_not_changed"),
                message: "The backup's settings are written in a way that this restore cannot change.",
                remedy: "Put the tombstone file and the master key where the backup's settings name them.")
        }
        guard let path = settings.tombstonePath(in: files.folder) else {
            throw LedgerError(
                code: .init(rawValue: "tombstones_missing"),
                message: "The backup's settings name no tombstone file: without it erased persons would come back.",
                remedy: "Name it with --tombstones; for a ledger that never erased anybody make an empty file.")
        }
        tombstones = try Tombstones.read(path)
        if let group = settings.group {
            guard let number = try called({ () throws(SystemError) in try FileAccess.groupNumber(named: group) }) else {
                throw LedgerError(
                    code: .init(rawValue: "no_such_group"), message: "This machine has no group \(group).",
                    remedy: "Make it with `groupadd`, then restore again.")
            }
            access = .group(number)
        }
        try write(text)
    }

    private func write(_ text: String) throws(LedgerError) {
        try called { () throws(SystemError) in
            let folder = try FileDescriptor(opening: files.folder, .folder)
            try access.apply(to: folder, mode: access.folderMode)
            try FileSystem.remove(files.settings)
            let file = try FileDescriptor(opening: files.settings, .createNew, mode: access.fileMode)
            try access.apply(to: file, mode: access.fileMode)
            try file.write(Array(text.utf8))
            try file.synchronize()
        }
    }
}
