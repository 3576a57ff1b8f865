import Cryptography
import EventStorage
import SQLite
import SchemaFiles

/// Compares the stored nodes of the tree with those that the events give.
final class TileCheck {
    /// One height of tiles: what was computed of the tile under way, and what is stored of it.
    private struct Level {
        var count: Int64 = 0
        var nodes: [Digest] = []
        var stored: [Digest] = []
    }

    private let connection: Connection
    private let find: Statement
    private var levels: [Level] = []
    private var hash = SHA256()

    init(_ connection: Connection) throws(StorageError) {
        self.connection = connection
        find = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.findTile) }
    }

    func add(_ nodes: [Digest], into report: inout VerificationReport) throws(StorageError) {
        for node in nodes { try add(node, level: 1, &report) }
    }

    private func add(_ node: Digest, level: Int, _ report: inout VerificationReport) throws(StorageError) {
        if levels.count < level { levels.append(Level()) }
        let place = Int(levels[level - 1].count % Int64(TreeTile.width))
        if place == 0 {
            levels[level - 1].nodes.removeAll(keepingCapacity: true)
            levels[level - 1].stored = try storedNodes(level, levels[level - 1].count / Int64(TreeTile.width))
        }
        if place < levels[level - 1].stored.count {
            report.treeNodes += 1
            if levels[level - 1].stored[place] != node { complain(level, levels[level - 1].count, &report) }
        }
        levels[level - 1].count += 1
        levels[level - 1].nodes.append(node)
        if levels[level - 1].nodes.count == TreeTile.width {
            let top = TreeTile(levels[level - 1].nodes, using: &hash).rows[TreeTile.height][0]
            try add(top, level: level + 1, &report)
        }
    }

    private func complain(_ level: Int, _ index: Int64, _ report: inout VerificationReport) {
        let span = Int64(1) << Int64(TreeTile.height * level)
        report.add(
            .tileWrong, at: index * span + 1,
            "A stored node of the tree is not made of positions \(index * span + 1) to \((index + 1) * span).")
    }

    /// Tiles hold no more than there are events for.
    func finish(size: Int64, into report: inout VerificationReport) throws(StorageError) {
        let list = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.listTiles) }
        while try stored({ () throws(SQLiteError) in try list.step() }) {
            let (level, number, bytes) = (list.int64(0), list.int64(1), list.int64(2))
            let end = number &* Int64(TreeTile.width) &+ bytes / 32
            let full = (1...7).contains(level) ? size >> (Int64(TreeTile.height) * level) : 0
            if bytes % 32 != 0 || number < 0 || end > full {
                report.add(
                    .tileWrong, at: size + 1,
                    "Tile \(number) of level \(level) has \(bytes / 32) nodes, and the log has not the events for them.")
            }
        }
    }

    private func storedNodes(_ level: Int, _ number: Int64) throws(StorageError) -> [Digest] {
        let find = find
        return try stored { () throws(SQLiteError) in
            find.bind(level, at: 1)
            find.bind(number, at: 2)
            defer { find.reset() }
            return try find.step() ? TreeTile.nodes(find.blob(0)) ?? [] : []
        }
    }
}
