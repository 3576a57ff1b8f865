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
    /// The values of one row on their way into a statement.
    let values = PackedRows(reserving: 512)
    private var end = LogEnd()

    /// The last position, its commit's time and the chain, as far as the open transaction has come.
    package var lastPosition: Int64 { end.position }
    private var chain: Digest
    private var lastCommitAtMilliseconds: Int64 = 0
    private var firstOfTransaction: Int64 = 1
    package private(set) var nextSessionNumber: Int64 = 1
    package private(set) var nextKeyNumber: Int64 = 1

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
                    end.position = position
                    end.recordedAtMilliseconds = max(end.recordedAtMilliseconds, lastCommitAtMilliseconds)
                    nextSessionNumber = try single(statements.lastSession) + 1
                    nextKeyNumber = try single(statements.lastKey) + 1
                }
                firstOfTransaction = lastPosition + 1
                end.leaves.removeAll(keepingCapacity: true)
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
        (max(now, end.recordedAtMilliseconds), now < end.recordedAtMilliseconds)
    }

    /// Appends one event; durable only after `commit`.
    @discardableResult
    package func append(
        _ event: NewEvent, session: SessionID, number: Int64, version: Int64, recordedAtMilliseconds: Int64
    ) throws(StorageError) -> Int64 {
        do throws(SQLiteError) {
            return try end.append(
                event, session: session, number: number, version: version, recordedAtMilliseconds: recordedAtMilliseconds,
                statements.appendEvent)
        } catch {
            throw StorageError(error)
        }
    }

    /// Ends the transaction; durable when it returns. After a failure the connection must be opened anew: what was cached of
    /// this transaction is not true.
    package func commit(atMilliseconds time: Int64) throws(StorageError) {
        if lastPosition >= firstOfTransaction {
            chain = CommitChain.next(
                after: chain, first: firstOfTransaction, last: lastPosition, committedAtMilliseconds: time, leaves: end.leaves,
                using: &end.hash)
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
        end.position = -1
        nextSessionNumber = 1
    }

    /// Numbers a new session and gives it a key of the pool, unless it is the ledger's own stream.
    package func insertSession(_ session: SessionID, keyNumber: Int64?) throws(StorageError) -> Int64 {
        let number = nextSessionNumber
        try stored { () throws(SQLiteError) in
            statements.insertSession.bind(number, at: 1)
            statements.insertSession.bind(words: session.uuid.high, session.uuid.low, at: 2)
            statements.insertSession.bind(keyNumber, at: 3)
            try statements.insertSession.run()
        }
        nextSessionNumber = number + 1
        if let keyNumber { nextKeyNumber = keyNumber + 1 }
        return number
    }
}
