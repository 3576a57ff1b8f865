import MediaChecks
import Synchronization

/// A long file of which only some pieces are stored, the rest being one repeated byte; counts what is read of it.
final class CountingSource: ByteSource {
    let size: Int64
    private let pieces: [(offset: Int64, bytes: [UInt8])]
    private let filler: UInt8
    private let counters = Mutex((total: 0, largest: 0))

    init(size: Int64, filler: UInt8 = 0, _ pieces: [(offset: Int64, bytes: [UInt8])]) {
        self.size = size
        self.filler = filler
        self.pieces = pieces
    }

    var bytesRead: Int { counters.withLock { $0.total } }
    var largestRead: Int { counters.withLock { $0.largest } }

    func read(at offset: Int64, into buffer: inout [UInt8]) -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let count = Int(min(Int64(buffer.count), size - offset))
        for index in 0..<count { buffer[index] = filler }
        for piece in pieces {
            let start = max(piece.offset, offset)
            let end = min(piece.offset + Int64(piece.bytes.count), offset + Int64(count))
            guard start < end else { continue }
            for position in start..<end { buffer[Int(position - offset)] = piece.bytes[Int(position - piece.offset)] }
        }
        counters.withLock {
            $0.total += count
            $0.largest = max($0.largest, buffer.count)
        }
        return count
    }
}
