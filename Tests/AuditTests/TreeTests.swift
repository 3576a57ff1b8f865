import Cryptography
import EventStorage
import SQLite
import SessionDomain
import Testing

@Suite struct TreeTests {
    /// By the definition of RFC 6962 §2.1 and nothing cleverer.
    private func root(_ leaves: ArraySlice<Digest>) -> Digest {
        if leaves.count == 0 { return SHA256.digest(of: []) }
        if leaves.count == 1 { return leaves[leaves.startIndex] }
        var half = 1
        while half * 2 < leaves.count { half *= 2 }
        let middle = leaves.startIndex + half
        return SHA256.digest(of: [1] + root(leaves[..<middle]).bytes + root(leaves[middle...]).bytes)
    }

    private func grow(_ ledger: SmallLedger, to size: Int64) throws {
        while let growth = try TreeReader(ledger.connection).growth(ledger.connection, size: size) {
            try ledger.write { try $0.store(growth) }
        }
    }

    @Test func `the root of the eight leaves of the certificate transparency project is the published one`() {
        let inputs: [[UInt8]] = [
            [], [0x00], [0x10], [0x20, 0x21], [0x30, 0x31], [0x40, 0x41, 0x42, 0x43],
            [0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57], Array(0x60...0x6F),
        ]
        var hash = SHA256()
        let leaves = inputs.map { hash.digest(prefix: 0, $0.span) }
        #expect(leaves[0].hex == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d")
        #expect(root(leaves[...]).hex == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328")
        var row = leaves
        while row.count > 1 {
            row = (0..<row.count / 2).map { MerkleTree.parent(row[2 * $0], row[2 * $0 + 1], using: &hash) }
        }
        #expect(row == [root(leaves[...])])
    }

    @Test func `every root and proof of every size up to thirty-three is what its definition says`() throws {
        let ledger = try SmallLedger(sessions: 11)
        let tree = try TreeReader(ledger.connection)
        let leaves = try (0..<33).map { try tree.leaf(at: $0) }
        var hash = SHA256()
        for size in 0...33 {
            let all = root(leaves[..<size])
            #expect(try tree.root(size: Int64(size)) == all)
            for index in 0..<size {
                let path = try tree.inclusionPath(index: Int64(index), size: Int64(size))
                #expect(
                    MerkleTree.root(of: leaves[index], at: Int64(index), size: Int64(size), path: path, using: &hash) == all)
                // no other place, and no other size of the same shape, gives that root
                for other in 0..<size where other != index {
                    #expect(
                        MerkleTree.root(of: leaves[index], at: Int64(other), size: Int64(size), path: path, using: &hash)
                            != all)
                }
            }
            for earlier in 0...size {
                let path = try tree.consistencyPath(from: Int64(earlier), to: Int64(size))
                let first = root(leaves[..<earlier])
                func holds(_ first: Digest, _ second: Digest, _ path: [Digest]) -> Bool {
                    MerkleTree.isConsistent(Int64(earlier), first, Int64(size), second, path: path, using: &hash)
                }
                #expect(holds(first, all, path))
                #expect(!holds(first, all, path + [all]))
                #expect(!holds(leaves[1], all, path) || earlier == 0 && size == 0)
                if !path.isEmpty {
                    #expect(!holds(first, leaves[0], path))
                    #expect(!holds(first, all, Array(path.dropLast())))
                }
            }
        }
    }

    @Test func `tiles hold full subtrees, grow as far as they can, and change no root`() throws {
        let ledger = try SmallLedger(sessions: 1)
        try ledger.add(.plain(.sessionSuspended, facts: #"{"at_ms":1}"#), session: 1, times: 900)
        func stored() throws -> [Int] {
            let list = try Statement(
                ledger.connection, "SELECT length(hashes) / 32 FROM tree_tile ORDER BY level, tile_no")
            var counts: [Int] = []
            while try list.step() { counts.append(list.int(0)) }
            return counts
        }
        func roots(_ trustsTiles: Bool) throws -> [Digest] {
            let tree = try TreeReader(ledger.connection, trustsTiles: trustsTiles)
            return try [1, 255, 256, 257, 511, 512, 700, 768, 903].map { try tree.root(size: $0) }
        }
        let without = try roots(false)
        for (size, count) in [(255, []), (256, [1]), (700, [2]), (903, [3])] as [(Int64, [Int])] {
            try grow(ledger, to: size)
            #expect(try stored() == count)
            #expect(try roots(true) == without)
        }
        try ledger.write { try $0.clearTiles() }
        #expect(try stored() == [])
        try grow(ledger, to: 903)
        #expect(try stored() == [3])
        // a reader who trusts them reads none of the events below them
        try ledger.tamper("DELETE FROM event WHERE position <= 700")
        #expect(try TreeReader(ledger.connection).root(size: 768) == without[7])
        #expect(throws: StorageError.self) { try TreeReader(ledger.connection, trustsTiles: false).root(size: 768) }
    }
}
