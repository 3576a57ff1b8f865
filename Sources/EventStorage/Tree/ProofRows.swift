package import SQLite
import SchemaFiles

/// The public half of a key that signs checkpoints.
package struct StoredSigningKey: Hashable, Sendable {
    package let generation: Int64
    package let publicKey: [UInt8]
    package let createdAtMilliseconds: Int64
    package let endorsement: [UInt8]?

    package init(generation: Int64, publicKey: [UInt8], createdAtMilliseconds: Int64, endorsement: [UInt8]?) {
        self.generation = generation
        self.publicKey = publicKey
        self.createdAtMilliseconds = createdAtMilliseconds
        self.endorsement = endorsement
    }
}

/// A checkpoint that was signed, as it was given out.
package struct StoredCheckpoint: Hashable, Sendable {
    package let treeSize: Int64
    package let root: [UInt8]
    package let generation: Int64
    package let signedAtMilliseconds: Int64
    package let note: String

    package init(treeSize: Int64, root: [UInt8], generation: Int64, signedAtMilliseconds: Int64, note: String) {
        self.treeSize = treeSize
        self.root = root
        self.generation = generation
        self.signedAtMilliseconds = signedAtMilliseconds
        self.note = note
    }

    package init(_ row: Statement) {
        self.init(
            treeSize: row.int64(0), root: row.blob(1), generation: row.int64(2), signedAtMilliseconds: row.int64(3),
            note: row.text(4))
    }
}

/// What a witness has taken.
package struct StoredWitnessing: Hashable, Sendable {
    package let treeSize: Int64
    package let witnessedAtMilliseconds: Int64
    package let cosignature: String?
}

/// Reads what proves the log to others.
package struct ProofRows {
    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// False in a ledger of an older version, which signs nothing.
    package func areThere() throws(StorageError) -> Bool {
        // the same migration made both
        try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.hasErasureRequests).step() }
    }

    package func signingKeys() throws(StorageError) -> [StoredSigningKey] {
        guard try areThere() else { return [] }
        return try stored { () throws(SQLiteError) in
            let list = try Statement(connection, SchemaFiles.listSigningKeys)
            var keys: [StoredSigningKey] = []
            while try list.step() {
                keys.append(
                    StoredSigningKey(
                        generation: list.int64(0), publicKey: list.blob(1), createdAtMilliseconds: list.int64(2),
                        endorsement: list.optionalBlob(3)))
            }
            return keys
        }
    }

    package func newestCheckpoint() throws(StorageError) -> StoredCheckpoint? {
        guard try areThere() else { return nil }
        return try stored { () throws(SQLiteError) in
            let newest = try Statement(connection, SchemaFiles.newestCheckpoint)
            return try newest.step() ? StoredCheckpoint(newest) : nil
        }
    }

    /// The smallest one with at least so many events.
    package func checkpoint(from size: Int64) throws(StorageError) -> StoredCheckpoint? {
        guard try areThere() else { return nil }
        return try stored { () throws(SQLiteError) in
            let found = try Statement(connection, SchemaFiles.checkpointFrom)
            found.bind(size, at: 1)
            return try found.step() ? StoredCheckpoint(found) : nil
        }
    }

    /// The newest that a witness has taken.
    package func lastWitnessed(by destination: String) throws(StorageError) -> StoredWitnessing? {
        try stored { () throws(SQLiteError) in
            let last = try Statement(connection, SchemaFiles.lastWitnessed)
            last.bind(destination, at: 1)
            guard try last.step() else { return nil }
            return StoredWitnessing(
                treeSize: last.int64(0), witnessedAtMilliseconds: last.int64(1), cosignature: last.optionalText(2))
        }
    }
}

extension EventWriter {
    package func insert(_ key: StoredSigningKey) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let insert = try Statement(connection, SchemaFiles.insertSigningKey)
            insert.bind(key.generation, at: 1)
            insert.bind(key.publicKey, at: 2)
            insert.bind(key.createdAtMilliseconds, at: 3)
            insert.bind(key.endorsement, at: 4)
            try insert.run()
        }
    }

    package func insert(_ checkpoint: StoredCheckpoint) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let insert = try Statement(connection, SchemaFiles.insertCheckpoint)
            insert.bind(checkpoint.treeSize, at: 1)
            insert.bind(checkpoint.root, at: 2)
            insert.bind(checkpoint.generation, at: 3)
            insert.bind(checkpoint.signedAtMilliseconds, at: 4)
            insert.bind(checkpoint.note, at: 5)
            try insert.run()
        }
    }

    package func noteWitnessed(
        by destination: String, treeSize: Int64, atMilliseconds time: Int64, cosignature: String?
    ) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let insert = try Statement(connection, SchemaFiles.insertWitnessed)
            insert.bind(destination, at: 1)
            insert.bind(treeSize, at: 2)
            insert.bind(time, at: 3)
            insert.bind(cosignature, at: 4)
            try insert.run()
        }
    }
}
