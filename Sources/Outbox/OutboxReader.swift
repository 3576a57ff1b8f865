package import DeliveryMachine
package import EventStorage
package import SQLite
import SchemaFiles
package import SessionDomain

/// Reads the queue from one connection, which belongs to one thread at a time.
package struct OutboxReader {
    let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// Deliveries above `number`, oldest first.
    package func deliveries(after number: Int64 = 0, limit: Int) throws(StorageError) -> [DeliveryRow] {
        var filter = DeliveryFilter()
        filter.cursor = number
        filter.limit = limit
        return try deliveries(filter, sessionNumber: nil)
    }

    /// A claim as its worker knows it.
    package struct HeldClaim: Sendable {
        package let number: Int64
        package let fence: Int64
        package let holder: String

        package init(number: Int64, fence: Int64, holder: String) {
            self.number = number
            self.fence = fence
            self.holder = holder
        }
    }

    /// Of each claim whether it is still its holder's, and its delivery waits.
    package func areWanted(_ claims: [HeldClaim]) throws(StorageError) -> [Bool] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.isDeliveryWanted)
            var wanted: [Bool] = []
            for claim in claims {
                statement.bind(claim.number, at: 1)
                statement.bind(claim.fence, at: 2)
                statement.bind(claim.holder, at: 3)
                wanted.append(try statement.step())
                statement.reset()
            }
            return wanted
        }
    }

    /// Deliveries that a filter asks for, oldest first.
    ///
    /// - Parameter sessionNumber: of the filter's session.
    package func deliveries(_ filter: DeliveryFilter, sessionNumber: Int64?) throws(StorageError) -> [DeliveryRow] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.listDeliveries)
            statement.bind(filter.cursor, at: 1)
            statement.bind(filter.limit, at: 2)
            statement.bind(filter.status.map { Int64($0.rawValue) }, at: 3)
            statement.bind(filter.cause, at: 4)
            statement.bind(filter.destination, at: 5)
            statement.bind(filter.piece.map { Int64($0.code) }, at: 6)
            statement.bind(sessionNumber, at: 7)
            statement.bind(filter.sinceMilliseconds, at: 8)
            if let id = filter.id { statement.bind(id.uuid.bytes, at: 9) }
            var rows: [DeliveryRow] = []
            while try statement.step() { rows.append(DeliveryRow(statement)) }
            return rows
        }
    }

    package func deliveries(ofSession number: Int64) throws(StorageError) -> [DeliveryRow] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.deliveriesOfSession)
            statement.bind(number, at: 1)
            var rows: [DeliveryRow] = []
            while try statement.step() { rows.append(DeliveryRow(statement)) }
            return rows
        }
    }

    package func attempts(ofDelivery number: Int64) throws(StorageError) -> [AttemptRow] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.attemptsOfDelivery)
            statement.bind(number, at: 1)
            var rows: [AttemptRow] = []
            while try statement.step() { rows.append(AttemptRow(statement)) }
            return rows
        }
    }

    /// What was frozen at a delivery's first send, sealed, and the digest of its plain bytes; nothing before it.
    package func frozen(ofDelivery number: Int64) throws(StorageError) -> (sealed: [UInt8]?, digest: [UInt8]?) {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.findWork)
            statement.bind(number, at: 1)
            return try statement.step() ? (statement.optionalBlob(6), statement.optionalBlob(7)) : (nil, nil)
        }
    }

    /// - Parameter destination: left out, where there is one.
    package func backlog(without destination: String? = nil) throws(StorageError) -> Backlog {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.backlog)
            statement.bind(destination, at: 1)
            var backlog = Backlog()
            guard try statement.step() else { return backlog }
            backlog.waiting = statement.int(0)
            backlog.parked = statement.int(1)
            backlog.nextDueAtMilliseconds = statement.optionalInt64(2)
            backlog.oldestConfirmedAtMilliseconds = statement.optionalInt64(3)
            return backlog
        }
    }

    /// When a delivery last came to its end with an answer; nil: none did.
    package func lastSuccessMilliseconds() throws(StorageError) -> Int64? {
        try stored { () throws(SQLiteError) in
            let row = try Statement(connection, SchemaFiles.lastSuccess)
            return try row.step() ? row.int64(0) : nil
        }
    }

    /// The number of the newest row of the delivery log, 0 where there is none.
    package func lastAttemptNumber() throws(StorageError) -> Int64 {
        try stored { () throws(SQLiteError) in
            let row = try Statement(connection, SchemaFiles.lastAttempt)
            return try row.step() ? row.int64(0) : 0
        }
    }

    /// Sessions of which a person lets nothing be sent, oldest pause first.
    package func sessionPauses() throws(StorageError) -> [(session: SessionID, sinceMilliseconds: Int64)] {
        try stored { () throws(SQLiteError) in
            let row = try Statement(connection, SchemaFiles.listSessionPauses)
            var pauses: [(session: SessionID, sinceMilliseconds: Int64)] = []
            while try row.step() { pauses.append((SessionID(DeliveryRow.uuid(row, 0)), row.int64(1))) }
            return pauses
        }
    }

    /// Destinations that are paused, with the reason and when it is looked at again.
    package func pauses() throws(StorageError) -> [(destination: String, pause: DestinationPause)] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.listDestinationStates)
            var pauses: [(destination: String, pause: DestinationPause)] = []
            while try statement.step() {
                guard let reason = statement.optionalText(1) else { continue }
                pauses.append(
                    (
                        statement.text(0),
                        DestinationPause(
                            reason: Explanation(rawValue: reason), sinceMilliseconds: statement.int64(2),
                            probeAtMilliseconds: statement.optionalInt64(3))
                    ))
            }
            return pauses
        }
    }
}
