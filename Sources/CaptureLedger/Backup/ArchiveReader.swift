import Archives
import Cryptography
import SystemCalls

/// Reads a backup's archive front to back, in constant memory, and believes nothing: an entry of another form or name, one that comes
/// twice or out of order, a byte that is not as it was written or one too many is an error.
final class ArchiveReader {
    private let archive: TarReader
    private var listingHash = SHA256()
    /// The digest of the listing, once it was compared with what the files before it make.
    private var listed: Digest?
    private var last: ArchiveName?
    private(set) var manifest: BackupManifest?
    private var entries = 0

    /// Takes an archive over from its beginning.
    init(_ file: consuming FileDescriptor) throws(LedgerError) {
        do throws(TarFault) { archive = try TarReader(file) } catch { throw LedgerError(error) }
    }

    /// Hands the next entry's content over in parts; nil behind the last one, when everything was compared.
    ///
    /// - Parameter begin: called with the name and size before the content; it answers what takes the parts.
    func next(_ begin: (ArchiveName, Int64) throws(LedgerError) -> (any ArchiveSink)?) throws(LedgerError) -> ArchiveName? {
        guard let header = try read({ () throws(TarFault) in try archive.next() }) else {
            guard manifest != nil else { throw .damagedBackup("it is cut short or out of order") }
            return nil
        }
        guard let name = ArchiveName(header.name) else {
            throw last == nil ? .notABackup : .damagedBackup("an entry is not one that a backup has")
        }
        guard follows(name) else { throw .damagedBackup("it is cut short or out of order") }
        if name == .manifest, header.size > 1 << 16 { throw .damagedBackup("its manifest is too large") }
        var sink = try begin(name, header.size)
        var kept: [UInt8] = []
        while let part = try read({ () throws(TarFault) in try archive.part() }) {
            try sink?.take(part.span)
            if name == .manifest { kept.append(contentsOf: part) }
        }
        let digest = try read { () throws(TarFault) in try archive.digest() }
        try sink?.finish()
        try compare(name, digest, kept)
        last = name
        return name
    }

    private func read<Value>(_ step: () throws(TarFault) -> Value) throws(LedgerError) -> Value {
        do throws(TarFault) { return try step() } catch { throw LedgerError(error) }
    }

    /// Settings, database (or the rows of an increment) and keys come first, then sealed files, the listing, the manifest. Names that come twice are found when
    /// they are written, or by the listing.
    private func follows(_ name: ArchiveName) -> Bool {
        switch (last, name) {
        case (nil, .settings), (.settings, .database), (.settings, .rows), (.database, .keys), (.rows, .keys): true
        case (.keys, .sealed), (.sealed, .sealed): true
        case (.keys, .listing), (.sealed, .listing), (.listing, .manifest): true
        default: false
        }
    }

    private func compare(_ name: ArchiveName, _ digest: Digest, _ content: [UInt8]) throws(LedgerError) {
        switch name {
        case .listing:
            guard digest == listingHash.finish() else { throw .damagedBackup("a file in it is not the one that was saved") }
            listed = digest
        case .manifest:
            guard let manifest = BackupManifest(content), manifest.listing == listed?.hex, manifest.entries == entries else {
                throw .damagedBackup("its manifest does not match its files")
            }
            self.manifest = manifest
        default:
            listingHash.update(TarWriter.listed(name.text, digest))
            entries += 1
        }
    }
}

extension BackupManifest {
    /// What a backup says of itself, found without reading what it holds: to be believed once it was read.
    ///
    /// - Throws: `not_a_backup`, `backup_damaged`.
    static func of(_ path: String) throws(LedgerError) -> BackupManifest {
        let found: BackupManifest? = try called { () throws(SystemError) in
            let file = try FileDescriptor(readingFile: path)
            let size = try file.status().size
            var offset: Int64 = 0
            while offset < size {
                var block = [UInt8](repeating: 0, count: TarHeader.blockSize)
                var span = block.mutableSpan
                guard try file.read(into: &span, at: offset) == TarHeader.blockSize, let header = TarHeader(block),
                    let name = ArchiveName(header.name)
                else { return nil }
                offset += Int64(TarHeader.blockSize)
                if name == .manifest, header.size <= 1 << 16 {
                    var content = [UInt8](repeating: 0, count: Int(header.size))
                    var rest = content.mutableSpan
                    _ = try file.read(into: &rest, at: offset)
                    return BackupManifest(content)
                }
                offset += header.size + Int64(header.padding)
            }
            return nil
        }
        guard let found else { throw .notABackup }
        return found
    }
}

/// What takes an entry's content.
protocol ArchiveSink {
    mutating func take(_ part: Span<UInt8>) throws(LedgerError)
    mutating func finish() throws(LedgerError)
}

extension LedgerError {
    fileprivate init(_ fault: TarFault) {
        self =
            switch fault {
            case .unreadable(let error): LedgerError(error)
            case .notAFile, .notAnArchive: .notABackup
            case .foreignEntry: .damagedBackup("an entry is not one that a backup has")
            case .cutShort: .damagedBackup("it is cut short or out of order")
            case .alteredBetween: .damagedBackup("it was altered between its files")
            case .goesOn: .damagedBackup("something follows its end")
            }
    }

    static let notABackup = LedgerError(
        code: .init(rawValue: "not_a_backup"), message: "This file is not a backup of a ledger.",
        remedy: "Name a file that `capture-ledger backup` wrote.")

    static func damagedBackup(_ what: String) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "backup_damaged"), message: "The backup cannot be trusted: \(what).",
            remedy: "Copy it again from where it is kept, or use another backup; nothing of it was restored.")
    }
}
