import Cryptography
package import SQLite
import SchemaFiles
package import SessionDomain

/// Appends to one open database. Its owner holds the writer lock from `begin` to `commit` or `rollback` and calls from one
/// thread. What it remembers between transactions is checked against the log at each `begin`.
package final class EventWriter {
    package let connection: Connection
    package let ledgerID: UUID128
    let statements: WriterStatements
    private var row = RowBytes()
    private var leaves: [UInt8] = []

    /// The last position, its commit's time and the chain, as far as the open transaction has come.
    package private(set) var lastPosition: Int64 = 0
    private var chain: Digest
    private var hash = SHA256()
    private var lastCommitAtMilliseconds: Int64 = 0
    private var firstOfTransaction: Int64 = 1
    package private(set) var nextSessionNumber: Int64 = 1
    package private(set) var nextKeyNumber: Int64 = 1
    private var lastRecordedAtMilliseconds: Int64 = 0

    package init(_ connection: Connection, ledgerID: UUID128) throws(StorageError) {
        self.connection = connection
        self.ledgerID = ledgerID
        chain = CommitChain.beginning(ledgerID: ledgerID)
        statements = try stored { () throws(SQLiteError) in try WriterStatements(connection) }
    }

    /// What `begin` found out.
    package struct Beginning: Sendable {
        /// Another process has appended since this writer's last commit: states cached in memory are out of date.
        package let othersWrote: Bool
    }

    /// Opens the transaction and looks at where the log ends by now.
    package func begin() throws(StorageError) -> Beginning {
        try stored { () throws(SQLiteError) in try statements.begin.run() }
        do {
            return try stored { () throws(SQLiteError) in
                var position: Int64 = 0
                if try statements.lastCommit.step() {
                    position = statements.lastCommit.int64(0)
                    if position != lastPosition {
                        lastCommitAtMilliseconds = statements.lastCommit.int64(1)
                        chain = Digest(statements.lastCommit.blob(2)) ?? chain
                    }
                }
                statements.lastCommit.reset()
                let others = position != lastPosition || nextSessionNumber == 1
                if others {
                    lastPosition = position
                    lastRecordedAtMilliseconds = max(lastRecordedAtMilliseconds, lastCommitAtMilliseconds)
                    nextSessionNumber = try single(statements.lastSession) + 1
                    nextKeyNumber = try single(statements.lastKey) + 1
                }
                firstOfTransaction = lastPosition + 1
                leaves.removeAll(keepingCapacity: true)
                return Beginning(othersWrote: others)
            }
        } catch {
            rollback()
            throw error
        }
    }

    private func single(_ statement: Statement) throws(SQLiteError) -> Int64 {
        defer { statement.reset() }
        return try statement.step() ? statement.int64(0) : 0
    }

    /// The store's time for this transaction: the wall clock, never before an earlier event.
    package func recordingTime(wallClock now: Int64) -> (milliseconds: Int64, isBehind: Bool) {
        (max(now, lastRecordedAtMilliseconds), now < lastRecordedAtMilliseconds)
    }

    /// Appends one event; durable only after `commit`.
    @discardableResult
    package func append(
        _ event: NewEvent, session: SessionID, number: Int64, version: Int64, recordedAtMilliseconds: Int64
    ) throws(StorageError) -> Int64 {
        let position = lastPosition + 1
        row.removeAll()
        row.append(position)
        row.append(words: session.uuid.high, session.uuid.low)
        row.append(version)
        row.append(words: event.eventID.high, event.eventID.low)
        row.append(event.encoded.type)
        row.append(event.encoded.schemaVersion)
        row.append(recordedAtMilliseconds)
        row.append(event.occurredAtMilliseconds)
        row.append(event.flags.rawValue)
        row.append(text: event.commandID)
        row.append(text: event.correlationID)
        row.append(event.causationPosition)
        row.append(text: event.actor)
        row.append(event.encoded.piece)
        if let capture = event.encoded.captureID { row.append(words: capture.high, capture.low) } else { row.appendNull() }
        row.append(event.encoded.source)
        row.append(event.encoded.outcome)
        row.append(text: event.encoded.reason)
        row.append(event.encoded.durationMilliseconds)
        row.append(text: event.encoded.facts)
        row.append(blob: event.sealed)
        try stored { () throws(SQLiteError) in try statements.appendEvent.run(row: row, replaced: 2, with: number) }
        CommitChain.appendLeaf(of: row.bytes, to: &leaves, using: &hash)
        lastPosition = position
        lastRecordedAtMilliseconds = max(lastRecordedAtMilliseconds, recordedAtMilliseconds)
        return position
    }

    /// Ends the transaction; durable when it returns. After a failure the connection must be opened anew: what was cached of
    /// this transaction is not true.
    package func commit(atMilliseconds time: Int64) throws(StorageError) {
        if lastPosition >= firstOfTransaction {
            chain = CommitChain.next(
                after: chain, first: firstOfTransaction, last: lastPosition, committedAtMilliseconds: time, leaves: leaves,
                using: &hash)
            lastCommitAtMilliseconds = time
            try stored { () throws(SQLiteError) in
                statements.appendCommit.bind(lastPosition, at: 1)
                statements.appendCommit.bind(firstOfTransaction, at: 2)
                statements.appendCommit.bind(time, at: 3)
                statements.appendCommit.bind(chain.bytes, at: 4)
                try statements.appendCommit.run()
            }
        }
        try stored { () throws(SQLiteError) in try statements.commit.run() }
    }

    /// Forgets the open transaction. What was cached of it is forgotten too: the next `begin` reads the log's end.
    package func rollback() {
        if connection.isInTransaction { try? statements.rollback.run() }
        lastPosition = -1
        nextSessionNumber = 1
    }

    /// Numbers a new session and gives it a key of the pool, unless it is the ledger's own stream.
    package func insertSession(_ session: SessionID, keyNumber: Int64?) throws(StorageError) -> Int64 {
        let number = nextSessionNumber
        try stored { () throws(SQLiteError) in
            statements.insertSession.bind(number, at: 1)
            statements.insertSession.bind(session.uuid.bytes, at: 2)
            statements.insertSession.bind(keyNumber, at: 3)
            try statements.insertSession.run()
        }
        nextSessionNumber = number + 1
        if let keyNumber { nextKeyNumber = keyNumber + 1 }
        return number
    }
}
