/// Random access to the bytes of one piece of media. The sniffer asks for at most 64 KiB at a time.
package protocol ByteSource {
    /// Length in bytes, fixed while the source is read.
    var size: Int64 { get }

    /// Fills `buffer` from its beginning with the bytes at `offset`, and says how many it filled: 1 to `buffer.count`, or 0 at
    /// the end. Fewer than asked for is no error; the caller asks again.
    ///
    /// - Throws: when the medium cannot be read; the sniffer turns it into `media_unreadable`.
    func read(at offset: Int64, into buffer: inout [UInt8]) throws(MediaReadFailure) -> Int
}

/// The medium itself could not be read (a disk error, a file that went away).
package struct MediaReadFailure: Error, Sendable, Equatable {
    /// `errno` of the failed call, where there is one.
    package let systemCode: Int32

    package init(systemCode: Int32 = 0) { self.systemCode = systemCode }
}

/// Bytes that are in memory already.
package struct ByteArraySource: ByteSource {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var size: Int64 { Int64(bytes.count) }

    package func read(at offset: Int64, into buffer: inout [UInt8]) -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let start = Int(offset)
        let count = min(buffer.count, bytes.count - start)
        buffer.replaceSubrange(0..<count, with: bytes[start..<start + count])
        return count
    }
}
