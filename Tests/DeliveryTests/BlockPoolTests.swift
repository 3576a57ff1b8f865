import Glibc
import Testing

@testable import CurlTransport

/// Blocks as addresses, so that they can be compared.
@Suite struct BlockPoolTests {
    private func take(_ pool: BlockPool, _ count: Int) -> UInt? { unsafe pool.take(count).map { UInt(bitPattern: $0) } }

    private func give(_ pool: BlockPool, _ block: UInt?) {
        unsafe pool.give(block.flatMap { unsafe UnsafeMutableRawPointer(bitPattern: $0) })
    }

    private func allocate(_ count: Int) -> UInt { unsafe UInt(bitPattern: malloc(count)) }

    @Test func `a large block that was given back is taken again, and only for something about as large`() {
        let pool = BlockPool()
        let block = allocate(512 << 10)
        give(pool, block)
        #expect(take(pool, 64 << 10) == nil, "small blocks are the C library's")
        #expect(take(pool, 200 << 10) == nil, "more than twice as large")
        #expect(take(pool, 1 << 20) == nil, "too small")
        #expect(take(pool, 500 << 10) == block)
        #expect(take(pool, 500 << 10) == nil, "handed out twice")
        give(pool, block)
        pool.release()
        #expect(take(pool, 500 << 10) == nil, "kept after all was released")
        give(pool, nil)
    }

    @Test func `no more blocks are kept than transfers need`() {
        let pool = BlockPool()
        for _ in 0..<100 { give(pool, allocate(200 << 10)) }
        var taken: [UInt] = []
        while let block = take(pool, 200 << 10) { taken.append(block) }
        #expect(taken.count == 64 && Set(taken).count == 64)
        for block in taken { give(pool, block) }
    }
}
