import SQLite
import SchemaFiles
package import SessionDomain

/// An original whose destruction is on record and whose files may still be there: a crash came between.
package struct MediaDestruction: Sendable, Equatable {
    package let capture: CaptureID
    package let session: SessionID

    package init(capture: CaptureID, session: SessionID) {
        self.capture = capture
        self.session = session
    }
}

extension EventReader {
    /// None in a ledger of an older version.
    package func mediaDestructions(limit: Int) throws(StorageError) -> [MediaDestruction] {
        try stored { () throws(SQLiteError) in
            guard try Statement(connection, SchemaFiles.hasErasureRequests).step() else { return [] }
            let row = try Statement(connection, SchemaFiles.listMediaDestructions)
            row.bind(limit, at: 1)
            var found: [MediaDestruction] = []
            while try row.step() {
                guard let capture = row.words(0), let session = row.words(1) else { continue }
                found.append(
                    MediaDestruction(
                        capture: CaptureID(UUID128(high: capture.0, low: capture.1)),
                        session: SessionID(UUID128(high: session.0, low: session.1))))
            }
            return found
        }
    }

    /// The session that the retention rules looked at last; 0 at their beginning.
    package func retentionCursor() throws(StorageError) -> Int64 {
        try stored { () throws(SQLiteError) in
            let row = try Statement(connection, SchemaFiles.findRetentionCursor)
            return try row.step() ? row.int64(0) : 0
        }
    }

    /// Sessions above a number that began by then, lowest first.
    package func retentionCandidates(
        above number: Int64, begunBy time: Int64, limit: Int
    ) throws(StorageError) -> [(number: Int64, session: SessionID)] {
        try stored { () throws(SQLiteError) in
            let row = try Statement(connection, SchemaFiles.retentionCandidates)
            row.bind(number, at: 1)
            row.bind(time, at: 2)
            row.bind(limit, at: 3)
            var found: [(number: Int64, session: SessionID)] = []
            while try row.step() {
                guard let words = row.words(1) else { continue }
                found.append((row.int64(0), SessionID(UUID128(high: words.0, low: words.1))))
            }
            return found
        }
    }
}

extension EventWriter {
    /// In the transaction of the `media_purged` that says so.
    package func insertMediaDestruction(_ capture: CaptureID, session number: Int64) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let insert = try Statement(connection, SchemaFiles.insertMediaDestruction)
            insert.bind(capture.uuid.bytes, at: 1)
            insert.bind(number, at: 2)
            try insert.run()
        }
    }

    /// Its files are gone.
    package func deleteMediaDestructions(_ captures: [CaptureID]) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let delete = try Statement(connection, SchemaFiles.deleteMediaDestruction)
            for capture in captures {
                delete.bind(capture.uuid.bytes, at: 1)
                try delete.run()
            }
        }
    }

    package func setRetentionCursor(_ number: Int64) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let set = try Statement(connection, SchemaFiles.setRetentionCursor)
            set.bind(number, at: 1)
            try set.run()
        }
    }
}
