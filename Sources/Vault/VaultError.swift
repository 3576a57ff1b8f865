package import Cryptography
package import SQLite
package import SystemCalls

/// Why a key or a sealed object could not be had. Never a key, never content.
package struct VaultError: Error, Sendable, Equatable {
    package enum Code: String, Sendable, CaseIterable {
        case masterKeyMissing = "master_key_missing"
        case masterKeyShut = "master_key_shut"
        case masterKeyExposed = "master_key_exposed"
        case masterKeyMalformed = "master_key_malformed"
        case masterKeyExists = "master_key_exists"
        case wrongMasterKey = "wrong_master_key"
        case masterKeyRotated = "master_key_rotated"
        case vaultMissing = "vault_missing"
        case vaultExists = "vault_exists"
        case vaultDamaged = "vault_damaged"
        case vaultTooNew = "vault_too_new"
        case vaultBusy = "vault_busy"
        case keyUnknown = "key_unknown"
        case keyDestroyed = "key_destroyed"
        case objectMissing = "object_missing"
        case objectExists = "object_exists"
        case objectTooLarge = "object_too_large"
        case authenticationFailed = "authentication_failed"
        case truncated
        case unknownFormat = "unknown_format"
        case storageFull = "storage_full"
        case storageFailed = "storage_failed"
    }

    package let code: Code
    /// What the layer below said.
    package let cause: String?

    package init(_ code: Code, cause: String? = nil) {
        self.code = code
        self.cause = cause
    }

    package var message: String { cause.map { "\(code.sentence) (\($0))" } ?? code.sentence }
    package var remedy: String { code.remedy }
}

extension VaultError.Code {
    var sentence: String {
        switch self {
        case .masterKeyMissing: "the master key cannot be read"
        case .masterKeyShut: "this user may not read the master key"
        case .masterKeyExposed: "the master key file can be read by others"
        case .masterKeyMalformed: "the master key is not 64 hexadecimal digits and a line feed"
        case .masterKeyExists: "there is a master key file already"
        case .wrongMasterKey: "this master key does not open the ledger's keys"
        case .masterKeyRotated: "the master key was rotated while this program had the ledger open"
        case .vaultMissing: "the ledger has no keys/keys.sqlite"
        case .vaultExists: "the ledger has keys already"
        case .vaultDamaged: "keys/keys.sqlite is damaged"
        case .vaultTooNew: "keys/keys.sqlite was written by a newer version"
        case .vaultBusy: "another process keeps keys/keys.sqlite locked"
        case .keyUnknown: "there is no session key with this number"
        case .keyDestroyed: "the session's key was destroyed"
        case .objectMissing: "the sealed file is not there"
        case .objectExists: "a sealed file with this identifier is there already"
        case .objectTooLarge: "the object is larger than the format allows"
        case .authenticationFailed: "the sealed bytes were altered, moved, or sealed with another key"
        case .truncated: "the sealed bytes are cut short"
        case .unknownFormat: "these are not sealed bytes of a known format"
        case .storageFull: "the storage is full"
        case .storageFailed: "the storage failed"
        }
    }

    var remedy: String {
        switch self {
        case .masterKeyMissing:
            "Name the file, credential or command that holds it in the ledger's configuration; see --master-key."
        case .masterKeyShut:
            "Run it as the ledger's owner, or as a member of its group where the ledger is shared; the key is as it was."
        case .masterKeyExposed: "chmod 600 the file, and think about who has read it."
        case .masterKeyMalformed: "Restore it from where it is kept; without it nothing sealed can be opened."
        case .masterKeyExists: "Use it, or choose another path; it is never overwritten."
        case .wrongMasterKey: "Use the master key that this ledger was made with; nothing was written."
        case .masterKeyRotated: "Open the ledger again: run the command again, or restart the service; nothing was written."
        case .vaultMissing: "Check the ledger's path, or restore keys/ from a backup."
        case .vaultExists: "Open the ledger in place of making it."
        case .vaultDamaged: "Restore keys/ from a backup; nothing else can bring the keys back."
        case .vaultTooNew: "Update this program."
        case .vaultBusy: "Find the process that has the file open (fuser), and try again."
        case .keyUnknown: "Run verify: the ledger names a key that keys/ does not have; restore both from one backup."
        case .keyDestroyed: "The person was erased; this cannot be undone."
        case .objectMissing: "Run verify to see whether an event says why; else restore the file from a backup."
        case .objectExists: "Use a new identifier."
        case .objectTooLarge: "Split the object."
        case .authenticationFailed, .truncated, .unknownFormat:
            "Restore the file from a backup, and run verify to see what else is affected."
        case .storageFull: "Free space on this file system (or raise its quota), then repeat the command."
        case .storageFailed: "Check the disk and the permissions of the ledger's folder, then repeat the command."
        }
    }
}

extension VaultError {
    /// Of whatever a block of several calls threw.
    init(wrapping error: any Error) {
        switch error {
        case let error as VaultError: self = error
        case let error as SystemError: self.init(error)
        case let error as CryptographyError: self.init(error)
        case let error as SQLiteError: self.init(error)
        default: self.init(.storageFailed)
        }
    }

    package init(_ error: SystemError) {
        self.init(error.code == .storageFull ? .storageFull : .storageFailed, cause: error.message)
    }

    package init(_ error: CryptographyError) {
        let code: Code =
            switch error {
            case .authenticationFailed: .authenticationFailed
            case .truncated: .truncated
            case .unknownFormat: .unknownFormat
            case .tooLarge: .objectTooLarge
            }
        self.init(code)
    }

    package init(_ error: SQLiteError) {
        let code: Code =
            if error.isFull {
                .storageFull
            } else if error.isCorrupt || error.doesNotFit {
                .vaultDamaged
            } else if error.isBusy {
                .vaultBusy
            } else {
                .storageFailed
            }
        self.init(code, cause: error.message)
    }
}
