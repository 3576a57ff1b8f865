import EventStorage
import SQLite
package import SessionDomain
import SystemCalls

/// What a backup holds.
package struct BackupReport: Sendable, Equatable {
    package let path: String
    package let ledgerID: UUID128
    package let epoch: UUID128
    /// The last event in it.
    package let position: Int64
    /// Where its base ended, for an increment.
    package let afterPosition: Int64?
    /// Sealed files in it.
    package let media: Int
    package let evidence: Int
    /// Of the finished file.
    package let bytes: Int64
    /// Sealed files that an event names, that were not there or not as they were sealed, and whose absence no event explains.
    package let missing: [String]
}

extension Ledger {
    /// Writes one file from which the ledger can be restored, while others go on writing: a consistent copy of the database, the
    /// wrapped keys, the settings, and every sealed file that the copy names. It is read again and compared before it gets its
    /// name; memory does not grow with the ledger. The master key and the tombstones are not in it.
    ///
    /// - Throws: `file_exists`, `no_such_folder`, `ledger_damaged` when the log is not as it was written, and what the disk refuses.
    ///   No file is left then.
    package func backup(to path: String) throws(LedgerError) -> BackupReport {
        let target = try BackupFiles(path)
        // The database before the keys and the files: whatever it names is there by then.
        try copyDatabases(target)
        let copy = try translated { () throws(StorageError) in
            try EventDatabase.openForReading(target.database, mode: .immutable)
        }
        let problem = try translated { () throws(StorageError) in try DatabaseCheck.logProblem(copy) }
        if let problem { throw .damagedLog(problem) }
        let content = try translated { () throws(StorageError) in try BackupContent(copy) }
        let subject = try BackupSubject(copy)
        return try archive(target, subject, .database, from: target.database, content)
    }

    /// Writes the archive, reads it again, and gives it its name.
    ///
    /// - Parameter name: of the entry behind the settings, the database or the rows.
    func archive(
        _ target: BackupFiles, _ subject: BackupSubject, _ name: ArchiveName, from source: String, _ content: BackupContent
    ) throws(LedgerError) -> BackupReport {
        let writer = ArchiveWriter(try target.make(target.part), listing: try target.make(target.listing))
        try called { () throws(SystemError) in
            try writer.add(.settings, try FileDescriptor(opening: files.settings, .read, followLinks: true))
            try writer.add(name, try FileDescriptor(opening: source, .read))
            try writer.add(.keys, try FileDescriptor(opening: target.keys, .read))
        }
        let counts = try write(writer, content)
        let listing = try called { () throws(SystemError) in try writer.addListing() }
        let manifest = subject.manifest(
            entries: writer.entries, listing: listing.hex, createdAtMilliseconds: clock.nowMilliseconds())
        let size = try called { () throws(SystemError) in
            try writer.add(manifest)
            return try writer.finish()
        }
        try Self.compare(target.part, manifest)
        try target.place()
        let report = BackupReport(
            path: target.path, ledgerID: manifest.ledgerID, epoch: manifest.epoch, position: manifest.position,
            afterPosition: manifest.after?.position, media: counts.media, evidence: counts.evidence, bytes: size,
            missing: counts.missing)
        if report.missing.isEmpty { LastBackup.note(report, of: self) }
        return report
    }

    func copyDatabases(_ target: BackupFiles) throws(LedgerError) {
        _ = try target.make(target.database)
        _ = try target.make(target.keys)
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try stored { () throws(SQLiteError) in try context.connection.copy(to: target.database) }
            }
        }
        try translated { () throws(StorageError) in
            try stored { () throws(SQLiteError) in
                try Connection(path: files.keys + "/keys.sqlite", mode: .read).copy(to: target.keys)
            }
        }
    }

    private struct Counts {
        var media = 0
        var evidence = 0
        var missing: [String] = []
    }

    private func write(_ writer: ArchiveWriter, _ content: BackupContent) throws(LedgerError) -> Counts {
        var counts = Counts()
        try content.forEachFile { (file) throws(LedgerError) in
            let name = ArchiveName.sealed(file.kind, file.id)
            do throws(SystemError) {
                let source = try FileDescriptor(opening: files.sealed(file.kind, file.id), .read)
                let added = try writer.add(name, source)
                if file.kind == .media { counts.media += 1 } else { counts.evidence += 1 }
                if let digest = file.digest, digest != added.bytes { counts.missing.append(name.text) }
            } catch {
                guard error.code == .notFound else { throw LedgerError(error) }
                let isExplained = try read { (context) throws(LedgerError) in try context.explainsAbsence(of: file) }
                if !isExplained { counts.missing.append(name.text) }
            }
        }
        return counts
    }

    /// Reads the whole file again, as a restore would.
    private static func compare(_ path: String, _ manifest: BackupManifest) throws(LedgerError) {
        let reader = try ArchiveReader(try called { () throws(SystemError) in try FileDescriptor(opening: path, .read) })
        while try reader.next({ (_, _) throws(LedgerError) in nil }) != nil {}
        guard reader.manifest == manifest else { throw .damagedBackup("it does not read back as it was written") }
    }
}

/// What a backup is of: the ledger, and the part of its log.
struct BackupSubject {
    let identity: EventDatabase.Identity
    let schema: Int64
    let through: RowHeader.Place
    var after: RowHeader.Place?

    init(_ connection: Connection) throws(LedgerError) {
        (identity, schema, through) = try translated { () throws(StorageError) in
            let head = try DatabaseCheck.head(connection)
            return (
                try EventDatabase.identity(connection), Int64(try Migrator.schema(of: connection).version),
                RowHeader.Place(position: head.position, chain: head.chain)
            )
        }
    }

    func manifest(entries: Int, listing: String, createdAtMilliseconds: Int64) -> BackupManifest {
        BackupManifest(
            ledgerID: identity.ledgerID, epoch: identity.epoch, position: through.position, chain: through.chain, after: after,
            schema: schema, createdAtMilliseconds: createdAtMilliseconds, entries: entries, listing: listing)
    }
}

extension LedgerError {
    static func damagedLog(_ problem: String) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "ledger_damaged"), message: "The ledger's log is damaged: \(problem).",
            remedy: "Keep the last good backup, copy the whole folder elsewhere, and run `audit verify` and `doctor`.")
    }
}
