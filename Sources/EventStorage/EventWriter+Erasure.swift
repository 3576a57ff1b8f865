import SQLite
import SchemaFiles
package import SessionDomain

/// An erasure that was decided.
package struct Erasure: Sendable, Equatable {
    package let sessionNumber: Int64
    package let session: SessionID
    package let keyNumber: Int64?

    package init(sessionNumber: Int64, session: SessionID, keyNumber: Int64?) {
        self.sessionNumber = sessionNumber
        self.session = session
        self.keyNumber = keyNumber
    }
}

extension EventWriter {
    /// Remembers that the session is to be erased, and takes away by what it could be found and its receipts.
    package func beginErasure(session number: Int64, atMilliseconds time: Int64) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let erasure = try Statement(connection, SchemaFiles.upsertErasure)
            erasure.bind(number, at: 1)
            erasure.bind(time, at: 2)
            try erasure.run()
            for sql in [SchemaFiles.deleteLookupsOfSession, SchemaFiles.deleteReceiptsOfSession] {
                let delete = try Statement(connection, sql)
                delete.bind(number, at: 1)
                try delete.run()
            }
        }
    }

    package func markKeyDestroyed(session number: Int64, atMilliseconds time: Int64) throws(StorageError) {
        try mark(SchemaFiles.markKeyDestroyed, number, time)
    }

    package func markSwept(session number: Int64, atMilliseconds time: Int64) throws(StorageError) {
        try mark(SchemaFiles.markSwept, number, time)
    }

    private func mark(_ sql: [UInt8], _ number: Int64, _ time: Int64) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, sql)
            statement.bind(number, at: 1)
            statement.bind(time, at: 2)
            try statement.run()
        }
    }
}

extension EventReader {
    package func unfinishedErasures() throws(StorageError) -> [Erasure] { try erasures(SchemaFiles.unfinishedErasures) }

    /// Begun or finished.
    package func erasures() throws(StorageError) -> [Erasure] { try erasures(SchemaFiles.erasedSessions) }

    private func erasures(_ sql: [UInt8]) throws(StorageError) -> [Erasure] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, sql)
            var found: [Erasure] = []
            while try statement.step() {
                guard let words = statement.words(1) else { continue }
                found.append(
                    Erasure(
                        sessionNumber: statement.int64(0), session: SessionID(UUID128(high: words.0, low: words.1)),
                        keyNumber: statement.optionalInt64(2)))
            }
            return found
        }
    }
}
