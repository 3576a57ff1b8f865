import SystemCalls
import Vault

/// Unpacks a backup into a folder, comparing while it reads.
final class Extraction {
    private let files: LedgerFiles
    private var options: RestoreOptions
    private(set) var media = 0
    private(set) var evidence = 0
    private(set) var settings = Settings()
    private(set) var tombstones: [Tombstones.Entry] = []
    private var access = FileAccess.owner
    private var shards: Set<String> = []

    init(into folder: String, _ options: RestoreOptions) {
        files = LedgerFiles(folder: folder)
        self.options = options
        self.options.tombstones = options.tombstones.map(FileSystem.absolute)
        self.options.masterKey = options.masterKey?.absolute
    }

    /// - Throws: `not_a_backup`, `backup_damaged`; `tombstones_missing` and `tombstones_damaged`, before anything else is unpacked.
    func run(_ archive: String) throws(LedgerError) -> BackupManifest {
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

    private func begin(_ name: ArchiveName, _ size: Int64) throws(LedgerError) -> (any ArchiveSink)? {
        switch name {
        case .listing, .manifest: return nil
        case .settings:
            guard size <= 1 << 20 else { throw .damagedBackup("its settings are too large") }
        case .database, .keys: break
        case .sealed(let kind, _): if kind == .media { media += 1 } else { evidence += 1 }
        }
        let path = files.folder + "/" + name.text
        do throws(SystemError) {
            let folder = FileSystem.parent(of: path)
            if folder != files.folder, shards.insert(folder).inserted { try FileSystem.makeFolder(folder, access: access) }
            let file = try FileDescriptor(opening: path, .createNew, mode: access.fileMode)
            try access.apply(to: file, mode: access.fileMode)
            return FileSink(file)
        } catch {
            throw error.code == .alreadyExists ? .damagedBackup("a file is in it twice") : LedgerError(error)
        }
    }

    /// What the backup's settings say, with what the caller says otherwise; and the erasures, without which nothing is unpacked.
    private func readSettings() throws(LedgerError) {
        var text = try called { () throws(SystemError) in
            String(decoding: try FileDescriptor(opening: files.settings, .read).readToEnd(limit: 1 << 20), as: UTF8.self)
        }
        if let tombstones = options.tombstones { text = Settings.replacing("tombstones", with: tombstones, in: text) }
        if let masterKey = options.masterKey { text = Settings.replacing("master_key", with: masterKey.text, in: text) }
        do { settings = try Settings(Array(text.utf8), environment: options.environment) } catch { throw LedgerError(error) }
        guard options.tombstones == nil || options.tombstones == settings.tombstones,
            options.masterKey == nil || options.masterKey == settings.masterKey
        else {
            throw LedgerError(
                code: .init(rawValue: "settings_not_changed"),
                message: "The backup's settings are written in a way that this restore cannot change.",
                remedy: "Put the tombstone file and the master key where the backup's settings name them.")
        }
        guard let path = settings.tombstonePath(in: files.folder) else {
            throw LedgerError(
                code: .init(rawValue: "tombstones_missing"),
                message: "The backup's settings name no tombstone file: without it erased persons would come back.",
                remedy: "Name it with --tombstones; for a ledger that never erased anybody make an empty file.")
        }
        tombstones = try Tombstones.read(path)
        if let group = settings.group {
            guard let number = try called({ () throws(SystemError) in try FileAccess.groupNumber(named: group) }) else {
                throw LedgerError(
                    code: .init(rawValue: "no_such_group"), message: "This machine has no group \(group).",
                    remedy: "Make it with `groupadd`, then restore again.")
            }
            access = .group(number)
        }
        try write(text)
    }

    private func write(_ text: String) throws(LedgerError) {
        try called { () throws(SystemError) in
            let folder = try FileDescriptor(opening: files.folder, .folder)
            try access.apply(to: folder, mode: access.folderMode)
            try FileSystem.remove(files.settings)
            let file = try FileDescriptor(opening: files.settings, .createNew, mode: access.fileMode)
            try access.apply(to: file, mode: access.fileMode)
            try file.write(Array(text.utf8))
            try file.synchronize()
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
