import Cryptography
import EventStorage
import SQLite
import SchemaFiles
import SessionDomain

/// Walks the commits beside the events and recomputes the chain from the stored bytes.
final class ChainCheck {
    private struct Commit {
        let first: Int64
        let last: Int64
        let time: Int64
        let chain: Digest?
    }

    private static let columnCount: Int32 = 21

    private let commits: Statement
    private var commit: Commit?
    private var chain: Digest
    private var hash = SHA256()
    private var row = RowBytes()
    private var leaves: [UInt8] = []
    private var nextPosition: Int64 = 1
    /// The last position that a commit accounts for.
    private var covered: Int64 = 0

    init(_ connection: Connection, ledgerID: UUID128) throws(StorageError) {
        commits = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.listCommits) }
        chain = CommitChain.beginning(ledgerID: ledgerID)
        commit = try read(after: 0)
    }

    /// Takes the row that the statement stands on, in the column order of `events_by_position`.
    func add(
        _ event: borrowing Statement, session: SessionID?, into report: inout VerificationReport
    ) throws(StorageError) {
        let position = event.int64(0)
        report.events += 1
        if position != nextPosition {
            report.add(.positionGap, at: nextPosition, "Position \(nextPosition) is missing; \(position) comes next.")
        }
        nextPosition = position + 1
        guard let session else {
            report.add(.sessionMissing, at: position, "The event belongs to a session that the ledger does not list.")
            return
        }
        while let commit, commit.last < position { try close(commit, into: &report) }
        guard let commit, commit.first <= position else {
            report.add(.eventOutsideCommits, at: position, "No commit covers the event.")
            return
        }
        row.removeAll()
        event.appendRow(to: &row, columns: 0..<Self.columnCount, replaced: 1, with: session.uuid.bytes)
        CommitChain.appendLeaf(of: row.bytes, to: &leaves, using: &hash)
        if commit.last == position { try close(commit, into: &report) }
    }

    /// Whatever the commits name beyond the last event is missing.
    func finish(into report: inout VerificationReport) throws(StorageError) {
        while let commit, commit.first < nextPosition { try close(commit, into: &report) }
        if let commit {
            report.add(.commitWithoutEvents, at: commit.first, "The events from position \(commit.first) on are missing.")
        }
    }

    private func close(_ commit: Commit, into report: inout VerificationReport) throws(StorageError) {
        report.commits += 1
        if commit.first != covered + 1 {
            report.add(.commitGap, at: covered + 1, "A commit begins at \(commit.first) and not at \(covered + 1).")
        }
        if Int64(leaves.count / 32) != commit.last - commit.first + 1 {
            report.add(
                .commitWithoutEvents, at: commit.first,
                "A commit names positions \(commit.first) to \(commit.last), and \(leaves.count / 32) of them are there.")
        }
        let expected = CommitChain.next(
            after: chain, first: commit.first, last: commit.last, committedAtMilliseconds: commit.time, leaves: leaves,
            using: &hash)
        if expected != commit.chain {
            report.add(
                .chainBroken, at: commit.first,
                "Positions \(commit.first) to \(commit.last) do not give the chain value that was stored: a byte was altered.")
        }
        // One altered commit is one problem: the next is judged from the value that is stored.
        chain = commit.chain ?? expected
        covered = commit.last
        leaves.removeAll(keepingCapacity: true)
        self.commit = try read(after: commit.last)
    }

    private func read(after position: Int64) throws(StorageError) -> Commit? {
        try stored { () throws(SQLiteError) in
            commits.bind(position, at: 1)
            defer { commits.reset() }
            guard try commits.step() else { return nil }
            return Commit(
                first: commits.int64(1), last: commits.int64(0), time: commits.int64(2), chain: Digest(commits.blob(3)))
        }
    }
}
