import EventCoding
import EventStorage
import SessionDomain
import SystemCalls
package import Vault

/// What a rotation of the master key came to.
package struct KeyRotation: Sendable, Equatable {
    /// How many rotations there were, this one included.
    package let generation: Int
    /// Session keys, and the ledger's own.
    package let keys: Int
    package let receipt: CommandReceipt
    package let masterKey: MasterKeySource
    /// False: the keys were wrapped by that one before, and nothing was left to do.
    package let hasChanged: Bool
    /// False: a person has to take `previous_master_key` out of the settings.
    package let isTidy: Bool
}

extension Ledger {
    /// Wraps every key under another master key. A file that is not there yet is made.
    ///
    /// Both keys are in the settings while it goes on, so that whatever interrupts it leaves a ledger that opens; run it again to
    /// finish. Other processes that have the ledger open are refused as `master_key_rotated` until they open it again.
    ///
    /// - Throws: `master_key_missing`, `master_key_exposed`, `master_key_malformed`, `wrong_master_key`, `master_key_rotated`,
    ///   `settings_not_changed` when a person has to name the keys in the settings. Nothing is changed then.
    package func rotateMasterKey(
        to asked: MasterKeySource, _ options: CommandOptions = CommandOptions()
    ) throws(LedgerError) -> KeyRotation {
        let new = asked.absolute
        let access = try called { () throws(SystemError) in try FileAccess.matching(folder: files.folder) }
        let master = try Self.loadOrMake(new, access)
        let file = SettingsFile(files, access)
        let done = try writer.writeAndWait { [files] (context) throws(LedgerError) -> Result<KeyRotation, LedgerError> in
            // as they are now, whoever changed them since this ledger was opened
            let settings = try Self.settings(of: files, environment: [:])
            var keys = 0
            let isOpen = try unlocked { () throws(VaultError) in try context.vault.opens(with: master) }
            let wasBegun = settings.previousMasterKey != nil
            if !isOpen {
                guard let old = try Self.opening(context.vault, settings, access), old != new else {
                    return .failure(LedgerError(VaultError(.wrongMasterKey)))
                }
                try file.name(new, previous: old)
                keys = try unlocked { () throws(VaultError) in try context.vault.rewrap(with: master) }
            } else if settings.masterKey != new {
                try file.name(new, previous: nil)
            }
            let (receipt, generation) = try context.noteRotation(isNew: !isOpen || wasBegun, options)
            return .success(
                KeyRotation(
                    generation: generation, keys: keys, receipt: receipt, masterKey: new, hasChanged: !isOpen, isTidy: false))
        }
        return KeyRotation(
            generation: done.generation, keys: done.keys, receipt: done.receipt, masterKey: new, hasChanged: done.hasChanged,
            isTidy: try file.forgetPrevious())
    }

    private static func loadOrMake(_ source: MasterKeySource, _ access: FileAccess) throws(LedgerError) -> MasterKey {
        try unlocked { () throws(VaultError) in
            if case .file(let path) = source, (try? FileStatus.of(path)) ?? nil == nil {
                return try MasterKey.create(at: path, sharedAs: access)
            }
            return try MasterKey.load(source, sharedAs: access)
        }
    }

    /// Which of the keys that the settings name opens the keys now.
    private static func opening(
        _ vault: Vault, _ settings: Settings, _ access: FileAccess
    ) throws(LedgerError) -> MasterKeySource? {
        for source in [settings.masterKey, settings.previousMasterKey] {
            guard let source, let master = try? MasterKey.load(source, sharedAs: access) else { continue }
            if try unlocked({ () throws(VaultError) in try vault.opens(with: master) }) { return source }
        }
        return nil
    }
}

extension WriteContext {
    /// On record once for each way in which the keys were wrapped, however often a rotation is repeated.
    fileprivate func noteRotation(
        isNew: Bool, _ options: CommandOptions
    ) throws(LedgerError) -> (CommandReceipt, generation: Int) {
        let name = try unlocked { () throws(VaultError) in try vault.wrappingName() }
        guard let commandID = options.commandID ?? CommandID("key-rotation-\(name)") else {
            preconditionFailure("a name is a command id")
        }
        var generation = 0
        try translated { () throws(StorageError) in
            try reader.forEachEvent(ofSession: 0) { (stored) throws(StorageError) in
                if stored.encoded.type == EventType.keyRotated.code { generation += 1 }
                return true
            }
        }
        let before = generation
        let done = try performOnLedger(commandID, body: Ledger.body("rotate_key", [])) { () throws(LedgerError) in
            guard isNew else { return [] }
            generation = before + 1
            return [try append(.keyRotated(KeyRotated(generation: generation)), commandID: commandID, actor: options.actor)]
        }
        return (try done.get(), generation)
    }
}
