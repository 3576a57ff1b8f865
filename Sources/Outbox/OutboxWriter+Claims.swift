package import EventStorage
import SQLite

extension OutboxWriter {
    /// Workers, living or dead, that have claims.
    package func holders() throws(StorageError) -> [String] {
        try stored { () throws(SQLiteError) in
            let row = statements.holders
            defer { row.reset() }
            var holders: [String] = []
            while try row.step() { holders.append(row.text(0)) }
            return holders
        }
    }

    /// Frees what a dead worker had in hand. The claims keep their count.
    package func releaseClaims(ofDeadHolder holder: String) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            statements.releaseHolder.bind(holder, at: 1)
            try statements.releaseHolder.run()
        }
    }

    /// Claims of all workers on a destination.
    package func claimCount(of destination: String) throws(StorageError) -> Int {
        try stored { () throws(SQLiteError) in
            let row = statements.countClaims
            row.bind(destination, at: 1)
            defer { row.reset() }
            return try row.step() ? row.int(0) : 0
        }
    }
}
