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
        if let problem {
            throw LedgerError(
                code: .init(rawValue: "ledger_damaged"), message: "The ledger's log is damaged: \(problem)",
                remedy: "Keep the last good backup, copy the whole folder elsewhere, and run `audit verify` and `doctor`.")
        }
        let writer = ArchiveWriter(try target.make(target.part), listing: try target.make(target.listing))
        let counts = try write(writer, target, copy)
        let manifest = try manifest(copy, writer)
        let size = try called { () throws(SystemError) in
            try writer.add(.manifest, manifest.bytes)
            return try writer.finish()
        }
        try Self.compare(target.part, manifest)
        try target.place()
        return BackupReport(
            path: path, ledgerID: manifest.ledgerID, epoch: manifest.epoch, position: manifest.position, media: counts.media,
            evidence: counts.evidence, bytes: size, missing: counts.missing)
    }

    private func copyDatabases(_ target: BackupFiles) throws(LedgerError) {
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

    private func write(_ writer: ArchiveWriter, _ target: BackupFiles, _ copy: Connection) throws(LedgerError) -> Counts {
        try called { () throws(SystemError) in
            try writer.add(.settings, try FileDescriptor(opening: files.settings, .read, followLinks: true))
            try writer.add(.database, try FileDescriptor(opening: target.database, .read))
            try writer.add(.keys, try FileDescriptor(opening: target.keys, .read))
        }
        var counts = Counts()
        let content = try translated { () throws(StorageError) in try BackupContent(copy) }
        try content.forEachFile { (file) throws(LedgerError) in
            let name = ArchiveName.sealed(file.kind, file.id)
            do throws(SystemError) {
                let source = try FileDescriptor(opening: files.sealed(file.kind, file.id), .read)
                let added = try writer.add(name, source)
                if file.kind == .media { counts.media += 1 } else { counts.evidence += 1 }
                if let digest = file.digest, digest != added.digest.bytes { counts.missing.append(name.text) }
            } catch {
                guard error.code == .notFound else { throw LedgerError(error) }
                let isExplained = try read { (context) throws(LedgerError) in try context.explainsAbsence(of: file) }
                if !isExplained { counts.missing.append(name.text) }
            }
        }
        return counts
    }

    private func manifest(_ copy: Connection, _ writer: ArchiveWriter) throws(LedgerError) -> BackupManifest {
        let listing = try called { () throws(SystemError) in try writer.addListing() }
        return try translated { () throws(StorageError) in
            let identity = try EventDatabase.identity(copy)
            let head = try DatabaseCheck.head(copy)
            return BackupManifest(
                ledgerID: identity.ledgerID, epoch: identity.epoch, position: head.position, chain: head.chain,
                schema: Int64(try Migrator.schema(of: copy).version), createdAtMilliseconds: clock.nowMilliseconds(),
                entries: writer.entries, listing: listing.hex)
        }
    }

    /// Reads the whole file again, as a restore would.
    private static func compare(_ path: String, _ manifest: BackupManifest) throws(LedgerError) {
        let reader = try ArchiveReader(try called { () throws(SystemError) in try FileDescriptor(opening: path, .read) })
        while try reader.next({ (_, _) throws(LedgerError) in nil }) != nil {}
        guard reader.manifest == manifest else { throw .damagedBackup("it does not read back as it was written") }
    }
}
