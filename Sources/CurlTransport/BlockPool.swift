import CCurl
import Glibc
import Synchronization

/// Large blocks of memory that were given back, for whoever asks for one as large next.
final class BlockPool: Sendable {
    private static let leastBytes = 128 << 10
    private static let mostKept = 64

    /// Addresses of blocks that nobody uses.
    private let kept = Mutex<[UInt]>([])

    /// A block of that many bytes that was used before; nil where there is none, and for what is not large.
    func take(_ count: Int) -> UnsafeMutableRawPointer? {
        guard count >= Self.leastBytes else { return nil }
        let block = kept.withLock { kept -> UInt? in
            for index in kept.indices.reversed() where (count...2 * count).contains(Self.size(of: kept[index])) {
                return kept.remove(at: index)
            }
            return nil
        }
        return unsafe block.flatMap { unsafe UnsafeMutableRawPointer(bitPattern: $0) }
    }

    /// Keeps a block of malloc(3), or frees it.
    func give(_ block: UnsafeMutableRawPointer?) {
        let address = UInt(bitPattern: block)
        let isKept =
            address != 0 && Self.size(of: address) >= Self.leastBytes
            && kept.withLock { kept in
                if kept.count < Self.mostKept { kept.append(address) }
                return kept.last == address
            }
        if !isKept { unsafe free(block) }
    }

    /// Frees what is kept.
    func release() {
        let blocks = kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
        for block in blocks { unsafe free(UnsafeMutableRawPointer(bitPattern: block)) }
    }

    deinit { release() }

    private static func size(of block: UInt) -> Int {
        unsafe ccurl_block_size(UnsafeMutableRawPointer(bitPattern: block))
    }
}
