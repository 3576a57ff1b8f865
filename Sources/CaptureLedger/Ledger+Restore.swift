import EventStorage
package import SessionDomain
import SystemCalls

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
    /// Sessions whose erasure is remembered outside the ledger.
    package let tombstones: Int
    /// Sessions that the backup still held and that were erased again.
    package let erasedAgain: Int
}

extension Ledger {
    /// Unpacks a backup into a new folder, compares every byte while reading, begins a new epoch, and applies every tombstone, so that
    /// nobody who was erased comes back. The folder gets its name when all of that is done; an older schema is brought forward.
    ///
    /// - Throws: `folder_not_empty`, `not_a_backup`, `backup_damaged`, `tombstones_missing`, `tombstones_damaged`,
    ///   `tombstones_foreign`, `master_key_missing`, `wrong_master_key`, `storage_low`. Nothing is left then.
    package static func restore(
        from path: String, to folder: String, options: RestoreOptions = RestoreOptions()
    ) throws(LedgerError) -> RestoreReport {
        guard let archive = try called({ () throws(SystemError) in try FileStatus.of(path) }) else {
            throw LedgerError(
                code: .init(rawValue: "no_such_file"), message: "There is no file \(path).", remedy: "Check the path.")
        }
        let target = try RestoreFolder(folder)
        let free = try called { () throws(SystemError) in try FileSystem.freeBytes(at: target.staging) }
        guard archive.size < free else {
            throw LedgerError(
                code: .init(rawValue: "storage_low"), message: "The disk has not enough room for what is in the backup.",
                remedy: "Free \((archive.size - free) >> 20) MiB or more, or restore to another disk.")
        }
        let extraction = Extraction(into: target.staging, options)
        let manifest = try extraction.run(path)
        try check(target.staging, manifest)

        var open = LedgerOptions()
        open.clock = options.clock
        open.environment = options.environment
        open.migrate = .whenOpened
        open.executesDueErasures = false
        let ledger = try Ledger.open(folder: target.staging, options: open)
        let epoch = Identifiers.fresh(atMilliseconds: options.clock.nowMilliseconds())
        let again: Int
        do throws(LedgerError) {
            again = try ledger.becomeRestored(epoch: epoch, position: manifest.position, extraction.tombstones)
        } catch {
            ledger.closeAndWait()
            throw error
        }
        ledger.closeAndWait()
        try target.place()
        return RestoreReport(
            folder: target.path, ledgerID: manifest.ledgerID, epoch: epoch, position: manifest.position,
            media: extraction.media, evidence: extraction.evidence, tombstones: Set(extraction.tombstones.map(\.session)).count,
            erasedAgain: again)
    }

    /// The database is the one that the manifest speaks of, and its log is as it was written.
    private static func check(_ folder: String, _ manifest: BackupManifest) throws(LedgerError) {
        let (isSame, problem) = try translated { () throws(StorageError) in
            let connection = try EventDatabase.openForReading(folder + "/ledger.sqlite", mode: .immutable)
            let identity = try EventDatabase.identity(connection)
            let head = try DatabaseCheck.head(connection)
            let schema = Int64(try Migrator.schema(of: connection).version)
            let isSame =
                identity.ledgerID == manifest.ledgerID && identity.epoch == manifest.epoch
                && head == (manifest.position, manifest.chain) && schema == manifest.schema
            return (isSame, try DatabaseCheck.logProblem(connection))
        }
        guard isSame else { throw .damagedBackup("its manifest speaks of another ledger") }
        if let problem { throw .damagedBackup("its log is altered. \(problem)") }
    }
}
