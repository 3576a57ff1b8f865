import Archives
package import Cryptography
package import SystemCalls

/// Writes an evidence archive front to back, in constant memory.
package final class EvidenceWriter {
    private let archive: TarWriter
    private var listing: [UInt8] = []
    package private(set) var entries = 0

    package init(_ file: consuming FileDescriptor) { archive = TarWriter(file) }

    /// Adds an entry of `size` bytes that `next` hands over in parts, at least one byte as long as there are any.
    ///
    /// - Throws: `input_output` when there was less or more than was said.
    package func add(
        _ name: EvidenceName, size: Int64, _ next: (_ offset: Int64) throws(SystemError) -> ArraySlice<UInt8>
    ) throws(SystemError) {
        list(name, try archive.add(name.text, size: size, next))
    }

    package func add(_ name: EvidenceName, _ content: [UInt8]) throws(SystemError) {
        list(name, try archive.add(name.text, content))
    }

    /// Adds everything that a file holds.
    package func add(_ name: EvidenceName, _ source: borrowing FileDescriptor) throws(SystemError) {
        list(name, try archive.add(name.text, source))
    }

    private func list(_ name: EvidenceName, _ digest: Digest) {
        if name.rank >= EvidenceName.listing.rank { return }
        listing += TarWriter.listed(name.text, digest)
        entries += 1
    }

    /// Adds the listing of everything before it and answers its digest.
    package func addListing() throws(SystemError) -> Digest { try archive.add(EvidenceName.listing.text, listing) }

    /// Ends the archive; it is on the disk when it returns. The file's size.
    package func finish() throws(SystemError) -> Int64 { try archive.finish() }
}
