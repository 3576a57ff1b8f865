package import Cryptography
package import SQLite
import SchemaFiles

/// The hash tree over a ledger's events. Nodes come from the stored tiles, and where these lag, from the events; what was read last
/// is kept, so that many proofs of one neighbourhood cost one read of it. Memory does not grow with the ledger.
package final class TreeReader {
    private struct Place: Hashable {
        let level: Int
        let number: Int64
    }

    private static let keptTiles = 64

    private let leaves: LeafReader
    private let find: Statement
    private let trustsTiles: Bool
    private var hash = SHA256()
    private var kept: [Place: TreeTile] = [:]

    /// - Parameter trustsTiles: false to compute everything from the events alone.
    package init(_ connection: Connection, trustsTiles: Bool = true) throws(StorageError) {
        leaves = try LeafReader(connection)
        find = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.findTile) }
        self.trustsTiles = trustsTiles
    }

    /// The root over the first `size` events.
    ///
    /// - Throws: `event_missing`.
    package func root(size: Int64) throws(StorageError) -> Digest {
        size == 0 ? MerkleTree.emptyRoot : try root(from: 0, to: size)
    }

    /// The siblings that lead from leaf `index` to the root over `size` events, the lowest first (RFC 9162 §2.1.3.1).
    package func inclusionPath(index: Int64, size: Int64) throws(StorageError) -> [Digest] {
        precondition(index >= 0 && index < size, "no such leaf")
        var path: [Digest] = []
        var (start, end) = (Int64(0), size)
        while end - start > 1 {
            let middle = start + MerkleTree.split(end - start)
            if index < middle {
                path.append(try root(from: middle, to: end))
                end = middle
            } else {
                path.append(try root(from: start, to: middle))
                start = middle
            }
        }
        return path.reversed()
    }

    /// What shows that the tree of `size` events begins with that of `earlier` (RFC 9162 §2.1.4.1).
    package func consistencyPath(from earlier: Int64, to size: Int64) throws(StorageError) -> [Digest] {
        precondition(earlier >= 0 && earlier <= size, "a tree does not begin with a larger one")
        if earlier == 0 || earlier == size { return [] }
        var path: [Digest] = []
        var (start, end) = (Int64(0), size)
        while earlier != end {
            let middle = start + MerkleTree.split(end - start)
            if earlier <= middle {
                path.append(try root(from: middle, to: end))
                end = middle
            } else {
                path.append(try root(from: start, to: middle))
                start = middle
            }
        }
        // the earlier tree's own root is known to whoever asks, unless it is cut out of a larger one
        if start > 0 { path.append(try root(from: start, to: end)) }
        return path.reversed()
    }

    package func leaf(at index: Int64) throws(StorageError) -> Digest { try leaves.leaves(from: index + 1, count: 1)[0] }

    /// The canonical bytes of the event at a position.
    package func bytes(at position: Int64) throws(StorageError) -> [UInt8] { try leaves.bytes(at: position) }

    /// The root over leaves `start ..< end`; `start` is where a full subtree of at least that size may begin.
    private func root(from start: Int64, to end: Int64) throws(StorageError) -> Digest {
        let count = end - start
        if count & (count - 1) == 0 {
            let height = count.trailingZeroBitCount
            return try node(height: height, start >> Int64(height))
        }
        let middle = start + MerkleTree.split(count)
        let left = try root(from: start, to: middle)
        let right = try root(from: middle, to: end)
        return MerkleTree.parent(left, right, using: &hash)
    }

    /// The root of the full subtree number `index` among those of 2^height leaves.
    private func node(height: Int, _ index: Int64) throws(StorageError) -> Digest {
        let (level, row) = (height / TreeTile.height, height % TreeTile.height)
        let perTile = Int64(TreeTile.width >> row)
        let place = Int(index % perTile)
        let tile = try tile(Place(level: level, number: index / perTile), atLeast: (place + 1) << row)
        return tile.rows[row][place]
    }

    private func tile(_ place: Place, atLeast count: Int) throws(StorageError) -> TreeTile {
        if let known = kept[place], known.count >= count { return known }
        if kept.count >= Self.keptTiles { kept.removeAll(keepingCapacity: true) }
        let tile = try load(place, count: count)
        kept[place] = tile
        return tile
    }

    private func load(_ place: Place, count: Int) throws(StorageError) -> TreeTile {
        let first = place.number * Int64(TreeTile.width)
        if place.level == 0 { return TreeTile(try leaves.leaves(from: first + 1, count: count), using: &hash) }
        var nodes = trustsTiles ? try storedNodes(place) : []
        while nodes.count < count {
            let below = Place(level: place.level - 1, number: first + Int64(nodes.count))
            nodes.append(try load(below, count: TreeTile.width).rows[TreeTile.height][0])
        }
        return TreeTile(nodes, using: &hash)
    }

    private func storedNodes(_ place: Place) throws(StorageError) -> [Digest] {
        let find = find
        return try stored { () throws(SQLiteError) in
            find.bind(place.level, at: 1)
            find.bind(place.number, at: 2)
            defer { find.reset() }
            return try find.step() ? TreeTile.nodes(find.blob(0)) ?? [] : []
        }
    }
}

extension TreeReader {
    /// Nodes that the tiles of a level lack although their subtrees are full at `size` events, in order, from node `first` on.
    func nodes(level: Int, from first: Int64, count: Int) throws(StorageError) -> [Digest] {
        var nodes: [Digest] = []
        for index in first..<first + Int64(count) {
            nodes.append(try load(Place(level: level - 1, number: index), count: TreeTile.width).rows[TreeTile.height][0])
        }
        return nodes
    }
}
