import Cryptography
import Dispatch
import EventStorage
import SQLite
import SchemaFiles
import SessionDomain
import Synchronization

/// One pass over the whole log: this thread reads pages, another hashes them. Memory does not grow with the log, and no snapshot
/// is held for longer than a page.
final class LogPass {
    private static let pageSize = 1024
    private static let pagesUnderWay = 3

    private let page: Statement
    private let names: SessionNames
    private let commits: CommitFeed
    private let hasher: LogHasher
    private let queue = DispatchQueue(label: "capture-ledger.verify")
    /// Counts the pages that are free or hashed.
    private let room = DispatchSemaphore(value: 0)
    private var free: [LogPage] = (0..<pagesUnderWay).map { _ in LogPage() }
    private let done = Done()
    private var nextPosition: Int64 = 1

    /// What the hashing thread gives back.
    private final class Done: Sendable {
        let pages = Mutex<[LogPage]>([])
    }

    init(_ connection: Connection, ledgerID: UUID128) throws(StorageError) {
        page = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.eventsByPosition) }
        names = try SessionNames(connection)
        commits = try CommitFeed(connection)
        hasher = LogHasher(ledgerID: ledgerID)
        for _ in free { room.signal() }
    }

    /// Something that looks at the log while it goes by.
    protocol Witness: AnyObject {
        /// Whether the event is to be handed over whole.
        func wants(type: Int, hasPrivateHalf: Bool) -> Bool
        /// Sizes of the tree whose root it wants, of the positions after `first` up to `last`.
        func sizes(after first: Int64, through last: Int64) throws(StorageError) -> [Int64]
        /// Called between pages, when no snapshot is open.
        func look(at events: [StoredEvent]) throws(StorageError)
        func note(root: Digest, size: Int64)
        /// Roots of the next full groups of 256 leaves.
        func note(nodes: [Digest]) throws(StorageError)
    }

    func run(through last: Int64, _ witness: any Witness, into report: inout VerificationReport) throws(StorageError) {
        defer { queue.sync {} }
        var position: Int64 = 0
        while true {
            room.wait()
            try collect(witness, &report)
            guard let next = free.popLast() else { preconditionFailure("a page that was waited for is not there") }
            let events = try read(into: next, after: position, through: last, witness, &report)
            guard let newest = next.positions.last else {
                free.append(next)
                room.signal()
                break
            }
            next.commits = try commits.commits(through: newest)
            next.sizes = try witness.sizes(after: hashed, through: hashed + Int64(next.positions.count))
            hashed += Int64(next.positions.count)
            queue.async { [hasher, done, room] in
                hasher.take(next)
                done.pages.withLock { $0.append(next) }
                room.signal()
            }
            // in a damaged database rows need not be in order
            guard newest > position else { throw .outOfOrder(newest) }
            position = newest
            if !events.isEmpty { try witness.look(at: events) }
        }
        queue.sync {}
        try collect(witness, &report)
        rest.commits = try commits.rest(limit: VerificationReport.problemLimit)
    }

    /// Behind the last event.
    private let rest = LogPage()

    /// Judges the commits that no event of the pass belongs to.
    ///
    /// - Parameter end: the last event that is there once the pass is over.
    func finish(end: Int64, into report: inout VerificationReport) {
        hasher.finish(rest, nextPosition: nextPosition, end: end)
        for problem in rest.problems { report.add(problem) }
        report.commits += rest.closedCommits
    }

    /// Leaves handed to the hashing thread.
    private(set) var hashed: Int64 = 0

    private func read(
        into next: LogPage, after position: Int64, through last: Int64, _ witness: any Witness,
        _ report: inout VerificationReport
    ) throws(StorageError) -> [StoredEvent] {
        next.clear()
        var events: [StoredEvent] = []
        page.bind(position, at: 1)
        page.bind(last, at: 2)
        page.bind(Self.pageSize, at: 3)
        defer { page.reset() }
        while try stored({ () throws(SQLiteError) in try page.step() }) {
            let position = page.int64(0)
            if position != nextPosition {
                report.add(
                    .positionGap, at: nextPosition, "Position \(nextPosition) is missing; \(position) comes next.")
            }
            nextPosition = position &+ 1
            let words = try names.words(page.int64(1))
            if words == nil {
                report.add(
                    .sessionMissing, at: position, "The event belongs to a session that the ledger does not list.")
            }
            next.positions.append(position)
            next.rows.append(
                page, columns: LeafReader.columns, replaced: LeafReader.sessionColumn, with: words ?? (0, 0))
            if witness.wants(type: page.int(4), hasPrivateHalf: !page.isNull(20)) { events.append(EventReader.event(page)) }
        }
        report.events += Int64(next.positions.count)
        return events
    }

    /// Takes back the pages that were hashed.
    private func collect(_ witness: any Witness, _ report: inout VerificationReport) throws(StorageError) {
        let hashed = done.pages.withLock { pages in
            defer { pages.removeAll() }
            return pages
        }
        for page in hashed {
            for problem in page.problems { report.add(problem) }
            report.commits += page.closedCommits
            for root in page.roots { witness.note(root: root.root, size: root.size) }
            if !page.nodes.isEmpty { try witness.note(nodes: page.nodes) }
            free.append(page)
        }
    }
}

extension StorageError {
    fileprivate static func outOfOrder(_ position: Int64) -> StorageError {
        StorageError(
            .corrupt, message: "The rows of the events are not in the order of their positions, at \(position).",
            remedy: "Stop writing, keep a copy of the folder, and restore the last good backup.")
    }
}
