import Archives
import Cryptography
import SystemCalls

/// Writes a backup's archive front to back, in constant memory.
final class ArchiveWriter {
    private let archive: TarWriter
    private let listing: FileDescriptor
    private(set) var entries = 0

    /// - Parameter listing: a file that gets a line for each entry.
    init(_ file: consuming FileDescriptor, listing: consuming FileDescriptor) {
        archive = TarWriter(file)
        self.listing = listing
    }

    /// Adds a file's content and answers its digest.
    @discardableResult
    func add(_ name: ArchiveName, _ source: borrowing FileDescriptor) throws(SystemError) -> Digest {
        let digest = try archive.add(name.text, source)
        try listing.write(TarWriter.listed(name.text, digest))
        entries += 1
        return digest
    }

    /// Adds the listing of everything before it and answers its digest.
    func addListing() throws(SystemError) -> Digest { try archive.add(ArchiveName.listing.text, listing) }

    func add(_ manifest: BackupManifest) throws(SystemError) { try archive.add(ArchiveName.manifest.text, manifest.bytes) }

    /// Ends the archive; it is on the disk when it returns. The file's size.
    func finish() throws(SystemError) -> Int64 { try archive.finish() }
}
