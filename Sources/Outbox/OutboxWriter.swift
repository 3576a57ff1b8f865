package import DeliveryMachine
package import EventStorage
package import SQLite
import SchemaFiles
package import SessionDomain

/// The work on deliveries, inside the writer's transaction.
package final class OutboxWriter {
    let connection: Connection
    let statements: OutboxStatements

    package init(_ connection: Connection) throws(StorageError) {
        self.connection = connection
        statements = try stored { () throws(SQLiteError) in try OutboxStatements(connection) }
    }

    /// A delivery that may be claimed.
    package struct Candidate: Sendable {
        package let number: Int64
        package let id: DeliveryID
        package let sessionNumber: Int64
        package let capture: CaptureID
        package let pieceCode: Int

        init(_ row: Statement) {
            number = row.int64(0)
            id = DeliveryID(DeliveryRow.uuid(row, 1))
            sessionNumber = row.int64(2)
            capture = CaptureID(DeliveryRow.uuid(row, 3))
            pieceCode = row.int(4)
        }
    }

    /// What is stored about the work on one delivery. Frozen bytes and the status address are sealed.
    package struct Work: Sendable {
        package let claims: Int
        package let attempts: Int
        package let fence: Int64
        package let holder: String?
        package let nextAttemptAtMilliseconds: Int64
        package let firstSentAtMilliseconds: Int64?
        package let frozen: [UInt8]?
        package let bodyDigest: [UInt8]?
        package let statusAddress: [UInt8]?
        package let contractBreaks: Int
        package let isUnclear: Bool
        package let explanation: String?
    }

    /// Deliveries that are due and that nobody has claimed, oldest first.
    package func candidates(_ quota: ClaimQuota, nowMilliseconds: Int64) throws(StorageError) -> [Candidate] {
        try stored { () throws(SQLiteError) in
            let statement = statements.candidates
            statement.bind(quota.destination.text, at: 1)
            statement.bind(nowMilliseconds, at: 2)
            statement.bind(quota.limit, at: 3)
            statement.bind(quota.longestWaitMilliseconds, at: 4)
            defer { statement.reset() }
            var found: [Candidate] = []
            while try statement.step() { found.append(Candidate(statement)) }
            return found
        }
    }

    /// Raises the claim counter and the fence before any work is done.
    package func claim(_ number: Int64, holder: String) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            statements.claim.bind(number, at: 1)
            statements.claim.bind(holder, at: 2)
            try statements.claim.run()
        }
    }

    package func work(_ number: Int64) throws(StorageError) -> Work? {
        try stored { () throws(SQLiteError) in
            let row = statements.work
            row.bind(number, at: 1)
            defer { row.reset() }
            guard try row.step() else { return nil }
            return Work(
                claims: row.int(0), attempts: row.int(1), fence: row.int64(2), holder: row.optionalText(3),
                nextAttemptAtMilliseconds: row.int64(4), firstSentAtMilliseconds: row.optionalInt64(5),
                frozen: row.optionalBlob(6), bodyDigest: row.optionalBlob(7), statusAddress: row.optionalBlob(8),
                contractBreaks: row.int(9), isUnclear: row.int64(10) != 0, explanation: row.optionalText(11))
        }
    }

    /// False when the fence is stale or other bytes are frozen already.
    package func freeze(_ number: Int64, fence: Int64, sealed: [UInt8], bodyDigest: [UInt8]) throws(StorageError) -> Bool {
        try stored { () throws(SQLiteError) in
            statements.freeze.bind(number, at: 1)
            statements.freeze.bind(fence, at: 2)
            statements.freeze.bind(sealed, at: 3)
            statements.freeze.bind(bodyDigest, at: 4)
            try statements.freeze.run()
            return connection.changes == 1
        }
    }

    /// False when the fence is stale: another worker holds the claim by now.
    package func settle(
        _ number: Int64, fence: Int64, _ work: DeliveryWork, statusAddress: [UInt8]?, nextAttemptAtMilliseconds: Int64,
        explanation: String?
    ) throws(StorageError) -> Bool {
        try stored { () throws(SQLiteError) in
            let statement = statements.settle
            statement.bind(number, at: 1)
            statement.bind(fence, at: 2)
            statement.bind(work.attempts, at: 3)
            statement.bind(nextAttemptAtMilliseconds, at: 4)
            statement.bind(work.firstSentAtMilliseconds, at: 5)
            statement.bind(statusAddress, at: 6)
            statement.bind(work.contractBreaks, at: 7)
            statement.bind(work.isUnclear ? 1 : 0, at: 8)
            statement.bind(explanation, at: 9)
            try statement.run()
            return connection.changes == 1
        }
    }

    /// Nothing happens to a claim that is another worker's by now.
    package func release(_ number: Int64, fence: Int64, holder: String) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            statements.release.bind(number, at: 1)
            statements.release.bind(fence, at: 2)
            statements.release.bind(holder, at: 3)
            try statements.release.run()
        }
    }

    /// A person asked for it: due at once, with fresh counters.
    package func makeDue(_ number: Int64, nowMilliseconds: Int64) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            statements.makeDue.bind(number, at: 1)
            statements.makeDue.bind(nowMilliseconds, at: 2)
            try statements.makeDue.run()
        }
    }

    /// Takes frozen bytes and status addresses of an erased session out of the table.
    package func deleteSecrets(ofSession number: Int64) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            statements.deleteSecrets.bind(number, at: 1)
            try statements.deleteSecrets.run()
        }
    }
}
