import SystemCalls
import Vault

/// Unpacks a backup, and increments of it behind one another, into a folder, comparing while it reads.
final class Extraction {
    let ground: RestoreGround
    private(set) var media = 0
    private(set) var evidence = 0
    private var isIncrement = false
    private var shards: Set<String> = []

    init(into folder: String, _ options: RestoreOptions) { ground = RestoreGround(in: folder, options) }

    /// Where the rows of an increment are unpacked.
    var rows: String { ground.files.folder + "/" + ArchiveName.rows.text }

    /// - Parameter isIncrement: what is there already stays, but for settings and keys, which the increment has as they were later.
    /// - Throws: `not_a_backup`, `backup_damaged`; `tombstones_missing` and `tombstones_damaged`, before anything else is unpacked.
    func run(_ archive: String, isIncrement: Bool = false) throws(LedgerError) -> BackupManifest {
        self.isIncrement = isIncrement
        let reader = try ArchiveReader(
            try called { () throws(SystemError) in try FileDescriptor(readingFile: archive) })
        while let name = try reader.next(begin) {
            guard name == .settings else { continue }
            do throws(LedgerError) { try readSettings() } catch {
                // What cannot be done with altered settings is the backup's damage, not the user's mistake.
                try Self.compare(archive)
                throw error
            }
        }
        try called { () throws(SystemError) in for shard in shards { try FileSystem.synchronizeFolder(shard) } }
        guard let manifest = reader.manifest else { throw .notABackup }
        return manifest
    }

    /// Reads the whole backup and unpacks nothing.
    ///
    /// - Throws: `not_a_backup`, `backup_damaged`.
    private static func compare(_ archive: String) throws(LedgerError) {
        let reader = try ArchiveReader(
            try called { () throws(SystemError) in try FileDescriptor(readingFile: archive) })
        while try reader.next({ (_, _) throws(LedgerError) in nil }) != nil {}
        guard reader.manifest != nil else { throw .notABackup }
    }

    private func readSettings() throws(LedgerError) {
        let text = try called { () throws(SystemError) in
            try FileDescriptor(opening: ground.files.settings, .read).readToEnd(limit: 1 << 20)
        }
        try ground.settle(String(decoding: text, as: UTF8.self))
    }

    private func begin(_ name: ArchiveName, _ size: Int64) throws(LedgerError) -> (any ArchiveSink)? {
        switch name {
        case .listing, .manifest: return nil
        case .settings:
            guard size <= 1 << 20 else { throw .damagedBackup("its settings are too large") }
        case .database: guard !isIncrement else { throw .damagedBackup("an increment holds no database") }
        case .rows: guard isIncrement else { throw .incrementWithoutBase }
        case .keys, .sealed: break
        }
        let path = ground.files.folder + "/" + name.text
        do throws(SystemError) {
            if isIncrement {
                if case .sealed = name, try FileStatus.of(path) != nil { return nil }
                if name == .settings || name == .keys { try FileSystem.remove(path) }
            }
            if case .sealed(let kind, _) = name { if kind == .media { media += 1 } else { evidence += 1 } }
            let (access, folder) = (ground.access, FileSystem.parent(of: path))
            if folder != ground.files.folder, shards.insert(folder).inserted {
                try FileSystem.makeFolder(folder, access: access)
            }
            let file = try FileDescriptor(opening: path, .createNew, mode: access.fileMode)
            try access.apply(to: file, mode: access.fileMode)
            return FileSink(file)
        } catch {
            throw error.code == .alreadyExists ? .damagedBackup("a file is in it twice") : LedgerError(error)
        }
    }
}

/// Writes an entry to its file, durably.
private final class FileSink: ArchiveSink {
    private let file: FileDescriptor

    init(_ file: consuming FileDescriptor) { self.file = file }

    func take(_ part: Span<UInt8>) throws(LedgerError) {
        do throws(SystemError) { try file.write(part) } catch { throw LedgerError(error) }
    }

    func finish() throws(LedgerError) { try called { () throws(SystemError) in try file.synchronize() } }
}
