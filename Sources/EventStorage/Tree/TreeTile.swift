package import Cryptography

/// Up to 256 neighbouring nodes of one height and everything between them and their common ancestor, as far as it is full.
package struct TreeTile {
    /// log₂ of a tile's width.
    package static let height = 8
    package static let width = 1 << height

    /// Row r holds the nodes that are r above the tile's own; a full tile has one in row 8.
    package let rows: [[Digest]]

    var count: Int { rows[0].count }

    package init(_ nodes: [Digest], using hash: inout SHA256) {
        var rows = [nodes]
        while rows.count <= Self.height, let below = rows.last, below.count > 1 {
            rows.append(
                (0..<below.count / 2).map { MerkleTree.parent(below[2 * $0], below[2 * $0 + 1], using: &hash) })
        }
        self.rows = rows
    }

    /// The stored form's hashes; nil for anything but whole ones.
    package static func nodes(_ stored: [UInt8]) -> [Digest]? {
        guard stored.count.isMultiple(of: 32), stored.count <= 32 * width else { return nil }
        return stride(from: 0, to: stored.count, by: 32).compactMap { Digest(stored[$0..<$0 + 32]) }
    }
}
