package import Cryptography
package import SQLite
import SchemaFiles

/// Nodes that the stored tiles lack: computed by a reader, outside any transaction, and stored by the writer.
package struct TileGrowth: Sendable {
    package let level: Int
    /// The number of the first node among those of its level.
    package let first: Int64
    package let nodes: [Digest]
}

extension TreeReader {
    /// The next nodes, at most one tile of them, that can be stored once there are `size` events; nil when the tiles are up to date.
    /// The lowest level comes first, so that what is above is computed from tiles.
    package func growth(_ connection: Connection, size: Int64) throws(StorageError) -> TileGrowth? {
        var level = 1
        while true {
            let full = size >> Int64(TreeTile.height * level)
            if full == 0 { return nil }
            let have = try storedCount(connection, level)
            if have < full {
                let room = Int64(TreeTile.width) - have % Int64(TreeTile.width)
                let nodes = try nodes(level: level, from: have, count: Int(min(room, full - have)))
                return TileGrowth(level: level, first: have, nodes: nodes)
            }
            level += 1
        }
    }

    private func storedCount(_ connection: Connection, _ level: Int) throws(StorageError) -> Int64 {
        try stored { () throws(SQLiteError) in
            let last = try Statement(connection, SchemaFiles.lastTile)
            last.bind(level, at: 1)
            return try last.step() ? last.int64(0) * Int64(TreeTile.width) + last.int64(1) / 32 : 0
        }
    }
}

extension EventWriter {
    /// Adds nodes to the tile they belong to, unless somebody else has done so meanwhile.
    package func store(_ growth: TileGrowth) throws(StorageError) {
        let number = growth.first / Int64(TreeTile.width)
        let before = Int(growth.first % Int64(TreeTile.width)) * 32
        var added: [UInt8] = []
        for node in growth.nodes { node.append(to: &added) }
        try stored { () throws(SQLiteError) in
            let find = try Statement(connection, SchemaFiles.findTile)
            find.bind(growth.level, at: 1)
            find.bind(number, at: 2)
            let present = try find.step() ? find.blob(0) : []
            find.reset()
            guard present.count == before else { return }
            let put = try Statement(connection, SchemaFiles.putTile)
            put.bind(growth.level, at: 1)
            put.bind(number, at: 2)
            put.bind(present + added, at: 3)
            try put.run()
        }
    }

    /// Forgets every tile: they are made anew at will.
    package func clearTiles() throws(StorageError) {
        try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.clearTiles).run() }
    }
}
