import SystemCalls
import Vault

extension Ledger {
    /// Opens the keys with the master key that the settings name; while a rotation is under way, with the one before where the keys
    /// are still wrapped by that.
    ///
    /// - Throws: `master_key_missing`, `master_key_shut`, `master_key_exposed`, `master_key_malformed`; `wrong_master_key`, which says which one was tried.
    ///   Nothing is written then.
    static func openVault(
        _ files: LedgerFiles, _ settings: Settings, _ access: FileAccess, isReadOnly: Bool
    ) throws(LedgerError) -> Vault {
        guard let source = settings.masterKey else {
            throw LedgerError(
                code: .init(rawValue: "master_key_missing"), message: "The settings name no master key.",
                remedy: "Set master_key in \(Settings.fileName) to a file, credential:NAME or command:C.")
        }
        return try unlocked { () throws(VaultError) in
            do throws(VaultError) { return try openVault(files, source, access, isReadOnly: isReadOnly) } catch {
                guard let previous = settings.previousMasterKey, error.isAboutMasterKey else { throw error }
                do throws(VaultError) { return try openVault(files, previous, access, isReadOnly: isReadOnly) } catch {
                    guard error.code == .wrongMasterKey else { throw error }
                    throw VaultError(
                        .wrongMasterKey,
                        cause: "neither \(source.words) nor, from before the rotation, \(previous.words) opens them")
                }
            }
        }
    }

    private static func openVault(
        _ files: LedgerFiles, _ source: MasterKeySource, _ access: FileAccess, isReadOnly: Bool
    ) throws(VaultError) -> Vault {
        let master = try MasterKey.load(source, sharedAs: access)
        do throws(VaultError) {
            return try Vault.open(folder: files.folder, masterKey: master, isReadOnly: isReadOnly)
        } catch {
            guard error.code == .wrongMasterKey else { throw error }
            throw VaultError(.wrongMasterKey, cause: source.words)
        }
    }
}

extension VaultError {
    /// Another master key may open what this one did not.
    fileprivate var isAboutMasterKey: Bool {
        switch code {
        case .masterKeyMissing, .masterKeyShut, .masterKeyExposed, .masterKeyMalformed, .wrongMasterKey: true
        default: false
        }
    }
}
