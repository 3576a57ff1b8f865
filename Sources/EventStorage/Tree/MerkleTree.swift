package import Cryptography

/// The hash tree of RFC 6962 §2.1 over leaves that are counted from 0. Proofs are made and checked as in RFC 9162 §2.1.
package enum MerkleTree {
    /// The root of no leaves.
    package static let emptyRoot = SHA256.digest(of: [])

    package static func parent(_ left: Digest, _ right: Digest, using hash: inout SHA256) -> Digest {
        hash.digest(prefix: 1, left, right)
    }

    /// The largest power of two below `count`, which is at least 2: where the tree of so many leaves parts.
    static func split(_ count: Int64) -> Int64 { 1 << (63 - (count - 1).leadingZeroBitCount) }

    /// The root that an inclusion proof leads to (RFC 9162 §2.1.3.2); nil when the path has not the length that it must have.
    package static func root(
        of leaf: Digest, at index: Int64, size: Int64, path: [Digest], using hash: inout SHA256
    ) -> Digest? {
        guard index >= 0, index < size else { return nil }
        var (place, last, node) = (index, size - 1, leaf)
        for sibling in path {
            if last == 0 { return nil }
            if place & 1 == 1 || place == last {
                node = parent(sibling, node, using: &hash)
                while place & 1 == 0, place != 0 {
                    place >>= 1
                    last >>= 1
                }
            } else {
                node = parent(node, sibling, using: &hash)
            }
            place >>= 1
            last >>= 1
        }
        return last == 0 ? node : nil
    }

    /// Whether the tree of `size` leaves begins with that of `earlierSize` (RFC 9162 §2.1.4.2). Every tree begins with the empty one;
    /// a tree begins with itself and nothing is needed to show it.
    package static func isConsistent(
        _ earlierSize: Int64, _ earlierRoot: Digest, _ size: Int64, _ root: Digest, path: [Digest],
        using hash: inout SHA256
    ) -> Bool {
        guard earlierSize >= 0, earlierSize <= size else { return false }
        if earlierSize == size { return path.isEmpty && earlierRoot == root }
        if earlierSize == 0 { return path.isEmpty && earlierRoot == emptyRoot }
        var rest = path[...]
        if earlierSize & (earlierSize - 1) == 0 { rest = ([earlierRoot] + path)[...] }
        guard var earlier = rest.popFirst() else { return false }
        var (place, last) = (earlierSize - 1, size - 1)
        while place & 1 == 1 {
            place >>= 1
            last >>= 1
        }
        var later = earlier
        for node in rest {
            if last == 0 { return false }
            if place & 1 == 1 || place == last {
                earlier = parent(node, earlier, using: &hash)
                later = parent(node, later, using: &hash)
                while place & 1 == 0, place != 0 {
                    place >>= 1
                    last >>= 1
                }
            } else {
                later = parent(later, node, using: &hash)
            }
            place >>= 1
            last >>= 1
        }
        return last == 0 && earlier == earlierRoot && later == root
    }
}
