package import SessionDomain

/// What a backup holds.
package struct BackupReport: Sendable, Equatable {
    package let path: String
    package let ledgerID: UUID128
    package let epoch: UUID128
    /// The last event in it.
    package let position: Int64
    /// Sealed files in it.
    package let media: Int
    package let evidence: Int
    /// Of the finished file.
    package let bytes: Int64
    /// Sealed files that an event names, that were not there or not as they were sealed, and whose absence no event explains.
    package let missing: [String]
}

extension Ledger {
    package func backup(to path: String) throws(LedgerError) -> BackupReport {
        throw LedgerError(
            code: .init(rawValue: "not_available"), message: "This build makes no backups.", remedy: "Use a newer build.")
    }
}
