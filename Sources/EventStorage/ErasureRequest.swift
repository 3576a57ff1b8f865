import SQLite
import SchemaFiles
package import SessionDomain

/// A session in its undo window: nothing of it opens any more, and everything is still there.
package struct ErasureRequest: Sendable, Equatable {
    package let sessionNumber: Int64
    package let session: SessionID
    /// Of its `erasure_requested`.
    package let position: Int64
    package let requestedAtMilliseconds: Int64
    /// As the clock, having jumped, says that it is.
    package let dueAtMilliseconds: Int64

    package init(
        sessionNumber: Int64, session: SessionID, position: Int64, requestedAtMilliseconds: Int64, dueAtMilliseconds: Int64
    ) {
        self.sessionNumber = sessionNumber
        self.session = session
        self.position = position
        self.requestedAtMilliseconds = requestedAtMilliseconds
        self.dueAtMilliseconds = dueAtMilliseconds
    }
}

/// How far an erasure has come.
package struct ErasureProgress: Sendable, Equatable {
    package let requestedAtMilliseconds: Int64
    package let keyDestroyedAtMilliseconds: Int64?
    /// Its files are gone, and nothing that was deleted can be read in the write-ahead log.
    package let sweptAtMilliseconds: Int64?
}

/// Rows that a session still has beside its events.
package struct SessionTraces: Sendable, Equatable {
    package let lookups: Int
    package let receipts: Int
    /// Frozen metadata and status addresses of deliveries.
    package let deliverySecrets: Int

    package static let none = SessionTraces(lookups: 0, receipts: 0, deliverySecrets: 0)

    package var isEmpty: Bool { lookups == 0 && receipts == 0 && deliverySecrets == 0 }
}

extension EventReader {
    /// Sessions in their undo window, what is due first first; none in a ledger of an older version.
    ///
    /// - Parameters:
    ///   - number: nil: of any session.
    ///   - time: nil: whenever they are due.
    package func erasureRequests(
        session number: Int64? = nil, dueBy time: Int64? = nil
    ) throws(StorageError) -> [ErasureRequest] {
        try stored { () throws(SQLiteError) in
            guard let row = try erasureStatement() else { return [] }
            defer { row.reset() }
            row.bind(number, at: 1)
            row.bind(time, at: 2)
            var requests: [ErasureRequest] = []
            while try row.step() {
                guard let words = row.words(1) else { continue }
                requests.append(
                    ErasureRequest(
                        sessionNumber: row.int64(0), session: SessionID(UUID128(high: words.0, low: words.1)),
                        position: row.int64(2), requestedAtMilliseconds: row.int64(3), dueAtMilliseconds: row.int64(4)))
            }
            return requests
        }
    }

    /// nil: the session is not being erased, and was not.
    package func erasureProgress(session number: Int64) throws(StorageError) -> ErasureProgress? {
        try stored { () throws(SQLiteError) in
            let row = try Statement(connection, SchemaFiles.findErasure)
            row.bind(number, at: 1)
            guard try row.step() else { return nil }
            return ErasureProgress(
                requestedAtMilliseconds: row.int64(0), keyDestroyedAtMilliseconds: row.optionalInt64(1),
                sweptAtMilliseconds: row.optionalInt64(2))
        }
    }

    package func traces(session number: Int64) throws(StorageError) -> SessionTraces {
        try stored { () throws(SQLiteError) in
            let row = try Statement(connection, SchemaFiles.countTracesOfSession)
            row.bind(number, at: 1)
            guard try row.step() else { return .none }
            return SessionTraces(lookups: row.int(0), receipts: row.int(1), deliverySecrets: row.int(2))
        }
    }
}

extension EventWriter {
    package func insert(_ request: ErasureRequest) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let insert = try Statement(connection, SchemaFiles.insertErasureRequest)
            insert.bind(request.sessionNumber, at: 1)
            insert.bind(request.position, at: 2)
            insert.bind(request.requestedAtMilliseconds, at: 3)
            insert.bind(request.dueAtMilliseconds, at: 4)
            try insert.run()
        }
    }

    /// None of them is due before then.
    package func postponeErasureRequests(until time: Int64) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let postpone = try Statement(connection, SchemaFiles.postponeErasureRequests)
            postpone.bind(time, at: 1)
            try postpone.run()
        }
    }

    /// It is withdrawn, or its time has come.
    package func deleteErasureRequest(session number: Int64) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let delete = try Statement(connection, SchemaFiles.deleteErasureRequest)
            delete.bind(number, at: 1)
            try delete.run()
        }
    }
}
