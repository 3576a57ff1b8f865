import SystemCalls
import Vault

/// The settings of a ledger as init writes and a rotation changes them: whole or not at all, and only where what stands there afterwards
/// means what was meant.
struct SettingsFile: Sendable {
    private static let previous = "previous_master_key"

    private let files: LedgerFiles
    private let access: FileAccess

    init(_ files: LedgerFiles, _ access: FileAccess) {
        self.files = files
        self.access = access
    }

    /// Names the master key, and the one before while both are needed. Nothing is done where the settings say so already.
    ///
    /// - Throws: `settings_not_changed`: a person has to do it.
    func name(_ new: MasterKeySource, previous old: MasterKeySource?) throws(LedgerError) {
        let text = try read()
        let now = try parse(text)
        if now.masterKey == new, old == nil || now.previousMasterKey == old { return }
        var changed = Settings.replacing("master_key", with: new.text, in: text)
        if let old { changed = Settings.replacing(Self.previous, with: old.text, in: changed) }
        guard let then = try? parse(changed), then.masterKey == new, old == nil || then.previousMasterKey == old,
            try isPlain()
        else {
            let also = old.map { " and \(Self.previous): \"\($0.text)\"" } ?? ""
            throw LedgerError(
                code: .init(rawValue: "settings_not_changed"),
                message: "\(Settings.fileName) is written in a way that this command cannot change.",
                remedy: "Write master_key: \"\(new.text)\"\(also) into it yourself, then run the command again.")
        }
        try write(changed)
    }

    /// Takes the key before the rotation out.
    ///
    /// - Returns: whether the settings are without it afterwards.
    func forgetPrevious() throws(LedgerError) -> Bool {
        let text = try read()
        if try parse(text).previousMasterKey == nil { return true }
        let changed = Settings.removing(Self.previous, from: text)
        guard let then = try? parse(changed), then.previousMasterKey == nil, try isPlain() else { return false }
        try write(changed)
        return true
    }

    private func isPlain() throws(LedgerError) -> Bool {
        try called { () throws(SystemError) in try FileStatus.of(files.settings)?.kind == .file }
    }

    private func read() throws(LedgerError) -> String {
        try called { () throws(SystemError) in
            String(decoding: try FileDescriptor(opening: files.settings, .read).readToEnd(limit: 1 << 20), as: UTF8.self)
        }
    }

    private func parse(_ text: String) throws(LedgerError) -> Settings {
        do { return try Settings(Array(text.utf8)) } catch { throw LedgerError(error) }
    }

    /// Durable, and whole or not at all.
    func write(_ text: String) throws(LedgerError) {
        try called { () throws(SystemError) in
            _ = try FileSystem.remove(files.settings + ".new")
            let file = try FileDescriptor(opening: files.settings + ".new", .createNew, mode: access.fileMode)
            try access.apply(to: file, mode: access.fileMode)
            try file.write(Array(text.utf8))
            try file.synchronize()
            try FileSystem.rename(files.settings + ".new", to: files.settings)
            try FileSystem.synchronizeFolder(files.folder)
        }
    }
}
