import EventStorage
import SQLite
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
    /// Increments of the backup, oldest first.
    package var increments: [String] = []

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
    /// Unpacks a backup, with increments behind it, into a new folder, compares every byte while reading, begins a new epoch, and applies every tombstone, so that
    /// nobody who was erased comes back. The folder gets its name when all of that is done; an older schema is brought forward.
    ///
    /// - Throws: `folder_not_empty`, `not_a_backup`, `backup_damaged`, what is wrong with the order of increments, `tombstones_missing`, `tombstones_damaged`,
    ///   `tombstones_foreign`, `master_key_missing`, `wrong_master_key`, `storage_low`. Nothing is left then.
    package static func restore(
        from path: String, to folder: String, options: RestoreOptions = RestoreOptions()
    ) throws(LedgerError) -> RestoreReport {
        let sizes = try ([path] + options.increments).map { (path) throws(LedgerError) in try size(of: path) }
        if !options.increments.isEmpty {
            var manifests: [(name: String, manifest: BackupManifest)] = []
            for increment in options.increments { manifests.append((increment, try BackupManifest.of(increment))) }
            try BackupManifest.check(try BackupManifest.of(path), manifests)
        }
        let target = try RestoreFolder(folder)
        let free = try called { () throws(SystemError) in try FileSystem.freeBytes(at: target.staging) }
        let needed = sizes.reduce(0, +)
        guard needed < free else {
            throw LedgerError(
                code: .init(rawValue: "storage_low"), message: "The disk has not enough room for what is in the backup.",
                remedy: "Free \(((needed - free) >> 20) + 1) MiB or more, or restore to another disk.")
        }
        let extraction = Extraction(into: target.staging, options)
        var manifest = try extraction.run(path)
        try checkIdentity(target.staging, manifest)
        try bringForward(extraction.ground)
        for increment in options.increments { manifest = try apply(increment, extraction) }
        try checkLog(target.staging, manifest)

        var open = LedgerOptions()
        open.clock = options.clock
        open.environment = options.environment
        open.migrate = .whenOpened
        open.executesDueErasures = false
        let ledger = try Ledger.open(folder: target.staging, options: open)
        let epoch = Identifiers.fresh(atMilliseconds: options.clock.nowMilliseconds())
        let again: Int
        do throws(LedgerError) {
            if !options.increments.isEmpty { _ = try ledger.rebuild() }
            again = try ledger.becomeRestored(epoch: epoch, position: manifest.position, extraction.ground.tombstones)
            if !options.increments.isEmpty { try ledger.removeGoneFiles() }
        } catch {
            ledger.closeAndWait()
            throw error
        }
        ledger.closeAndWait()
        try target.place()
        return RestoreReport(
            folder: target.path, ledgerID: manifest.ledgerID, epoch: epoch, position: manifest.position,
            media: extraction.media, evidence: extraction.evidence,
            tombstones: Set(extraction.ground.tombstones.map(\.session)).count,
            erasedAgain: again)
    }

    private static func size(of path: String) throws(LedgerError) -> Int64 {
        guard let status = try called({ () throws(SystemError) in try FileStatus.of(path) }) else {
            throw LedgerError(
                code: .init(rawValue: "no_such_file"), message: "There is no file \(path).", remedy: "Check the path.")
        }
        return status.size
    }

    /// The database is the one that the manifest speaks of.
    private static func checkIdentity(_ folder: String, _ manifest: BackupManifest) throws(LedgerError) {
        let subject = try BackupSubject(
            try translated { () throws(StorageError) in
                try EventDatabase.openForReading(folder + "/ledger.sqlite", mode: .immutable)
            })
        guard subject.identity.ledgerID == manifest.ledgerID, subject.identity.epoch == manifest.epoch,
            subject.through == RowHeader.Place(position: manifest.position, chain: manifest.chain),
            subject.schema == manifest.schema
        else { throw .damagedBackup("its manifest speaks of another ledger") }
    }

    /// What is looked at from here on has this version's tables.
    private static func bringForward(_ ground: RestoreGround) throws(LedgerError) {
        if try pendingMigrations(ground.files).isEmpty { return }
        try translated { () throws(StorageError) in
            let connection = try EventDatabase.openForWriting(ground.files.database)
            try Migrator.apply(
                to: connection, codeNames: CodeNames.all, nowMilliseconds: ground.options.clock.nowMilliseconds())
            try stored { () throws(SQLiteError) in _ = try connection.checkpoint(.truncate) }
        }
    }

    /// The log ends where the last manifest says, and is as it was written from its beginning on.
    private static func checkLog(_ folder: String, _ manifest: BackupManifest) throws(LedgerError) {
        let (head, problem) = try translated { () throws(StorageError) in
            let connection = try EventDatabase.openForReading(folder + "/ledger.sqlite", mode: .immutable)
            return (try DatabaseCheck.head(connection), try DatabaseCheck.logProblem(connection))
        }
        guard head == (manifest.position, manifest.chain) else {
            throw .damagedBackup("its log does not end where its manifest says")
        }
        if let problem { throw .damagedBackup("its log is altered (\(problem))") }
    }

    /// Takes an increment's rows into the database that was unpacked.
    private static func apply(_ path: String, _ extraction: Extraction) throws(LedgerError) -> BackupManifest {
        let manifest = try extraction.run(path, isIncrement: true)
        let reader = try RowReader(try called { () throws(SystemError) in try FileDescriptor(opening: extraction.rows, .read) })
        let connection = try translated { () throws(StorageError) in
            try EventDatabase.openForWriting(extraction.ground.files.database)
        }
        let subject = try BackupSubject(connection)
        guard reader.header.isPart, reader.header.ledgerID == subject.identity.ledgerID, reader.header.after == subject.through
        else { throw .foreignBackup("the rows of \(path) go on from another log") }
        let taker = RowTaker(ledger: connection, keys: nil, after: reader.header.after.position)
        try reader.forEachRow { (place, row) throws(LedgerError) in try taker.take(place, row) }
        try taker.finish()
        try translated { () throws(StorageError) in
            try stored { () throws(SQLiteError) in _ = try connection.checkpoint(.truncate) }
        }
        try called { () throws(SystemError) in _ = try FileSystem.remove(extraction.rows) }
        return manifest
    }
}
