package import SessionDomain

/// What may differ where a backup is restored.
package struct RestoreOptions: Sendable {
    /// nil: the one that the backup's settings name.
    package var tombstones: String?
    /// nil: the one that the backup's settings name.
    package var masterKey: MasterKeyReference?
    package var clock = LedgerClock.system
    package var environment: [String: String] = [:]

    package init() {}
}

/// What a restore brought back, and what it did not.
package struct RestoreReport: Sendable, Equatable {
    package let folder: String
    package let ledgerID: UUID128
    /// The new one.
    package let epoch: UUID128
    /// The last event of the backup.
    package let position: Int64
    package let media: Int
    package let evidence: Int
    /// Erasures that are remembered outside the ledger.
    package let tombstones: Int
    /// Sessions that the backup still held and that were erased again.
    package let erasedAgain: Int
}

extension Ledger {
    package static func restore(
        from path: String, to folder: String, options: RestoreOptions = RestoreOptions()
    ) throws(LedgerError) -> RestoreReport {
        throw LedgerError(
            code: .init(rawValue: "not_available"), message: "This build restores no backups.", remedy: "Use a newer build.")
    }
}
