import Archives
import Cryptography
import SystemCalls

/// Reads a backup's archive front to back, in constant memory, and believes nothing: an entry of another form or name, one that comes
/// twice or out of order, a byte that is not as it was written or one too many is an error.
final class ArchiveReader {
    private let file: FileDescriptor
    private let size: Int64
    private var offset: Int64 = 0
    private var listingHash = SHA256()
    private var last: ArchiveName?
    private(set) var manifest: BackupManifest?
    private var entries = 0

    /// Takes an archive over from its beginning.
    init(_ file: consuming FileDescriptor) throws(LedgerError) {
        let status: FileStatus
        do { status = try file.status() } catch { throw LedgerError(error) }
        guard status.kind == .file else { throw .notABackup }
        size = status.size
        self.file = file
    }

    /// Hands the next entry's content over in parts; nil behind the last one, when everything was compared.
    ///
    /// - Parameter begin: called with the name and size before the content; it answers what takes the parts.
    func next(_ begin: (ArchiveName, Int64) throws(LedgerError) -> (any ArchiveSink)?) throws(LedgerError) -> ArchiveName? {
        let block = try read(TarHeader.blockSize)
        if manifest != nil { return try end(block) }
        guard let header = TarHeader(block), let name = ArchiveName(header.name) else {
            throw offset == Int64(TarHeader.blockSize) ? .notABackup : .damagedBackup("an entry is not one that a backup has")
        }
        guard follows(name), header.size <= size - offset else { throw .damagedBackup("it is cut short or out of order") }
        var sink = try begin(name, header.size)
        var kept: [UInt8] = []
        if name == .manifest {
            guard header.size <= 1 << 16 else { throw .damagedBackup("its manifest is too large") }
        }
        let digest = try content(header, &sink) { part in if name == .manifest { kept.append(contentsOf: part) } }
        try sink?.finish()
        try compare(name, digest, kept)
        last = name
        return name
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

    private func content(
        _ header: TarHeader, _ sink: inout (any ArchiveSink)?, _ keep: (ArraySlice<UInt8>) -> Void
    ) throws(LedgerError) -> Digest {
        var hash = SHA256()
        var left = header.size
        var buffer = [UInt8](repeating: 0, count: Int(min(max(left, 1), 1 << 18)))
        while left > 0 {
            let count = Int(min(left, Int64(buffer.count)))
            try fill(&buffer, count)
            let part = buffer.span.extracting(0..<count)
            hash.update(part)
            try sink?.take(part)
            keep(buffer[..<count])
            left -= Int64(count)
        }
        guard try read(header.padding).allSatisfy({ $0 == 0 }) else { throw .damagedBackup("it was altered between its files") }
        return hash.finish()
    }

    private func compare(_ name: ArchiveName, _ digest: Digest, _ content: [UInt8]) throws(LedgerError) {
        switch name {
        case .listing: guard digest == listed else { throw .damagedBackup("a file in it is not the one that was saved") }
        case .manifest:
            guard let manifest = BackupManifest(content), manifest.listing == listed.hex, manifest.entries == entries else {
                throw .damagedBackup("its manifest does not match its files")
            }
            self.manifest = manifest
        default:
            listingHash.update(ArchiveWriter.line(name, digest))
            entries += 1
        }
    }

    /// The digest of the listing as the files before it make it.
    private var listed: Digest {
        if let known = knownListing { return known }
        let digest = listingHash.finish()
        knownListing = digest
        return digest
    }
    private var knownListing: Digest?

    private func end(_ block: [UInt8]) throws(LedgerError) -> ArchiveName? {
        guard block.allSatisfy({ $0 == 0 }), try read(TarHeader.blockSize).allSatisfy({ $0 == 0 }), offset == size else {
            throw .damagedBackup("something follows its end")
        }
        return nil
    }

    private func read(_ count: Int) throws(LedgerError) -> [UInt8] {
        if count == 0 { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        try fill(&bytes, count)
        return bytes
    }

    /// The next `count` bytes, in front of `bytes`; what follows them there means nothing.
    private func fill(_ bytes: inout [UInt8], _ count: Int) throws(LedgerError) {
        let got = try called { () throws(SystemError) in
            var span = bytes.mutableSpan
            return try file.read(into: &span, at: offset)
        }
        guard got >= count else { throw offset == 0 ? .notABackup : .damagedBackup("it is cut short") }
        offset += Int64(count)
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
    static let notABackup = LedgerError(
        code: .init(rawValue: "not_a_backup"), message: "This file is not a backup of a ledger.",
        remedy: "Name a file that `capture-ledger backup` wrote.")

    static func damagedBackup(_ what: String) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "backup_damaged"), message: "The backup cannot be trusted: \(what).",
            remedy: "Copy it again from where it is kept, or use another backup; nothing of it was restored.")
    }
}
