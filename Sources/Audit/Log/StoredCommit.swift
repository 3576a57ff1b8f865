import Cryptography
import EventStorage
import SQLite
import SchemaFiles

/// A row of the commits.
struct StoredCommit: Sendable {
    let first: Int64
    let last: Int64
    let timeMilliseconds: Int64
    /// nil where it has not the length of one.
    let chain: Digest?
}

/// Hands out the commits in order, as far as the events have come.
final class CommitFeed {
    private let page: Statement
    private var last: Int64 = 0
    private var isAtEnd = false

    init(_ connection: Connection) throws(StorageError) {
        page = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.listCommits) }
    }

    /// Those up to and including the one that covers `position`.
    func commits(through position: Int64) throws(StorageError) -> [StoredCommit] {
        guard last < position, !isAtEnd else { return [] }
        let page = page
        let found = try stored { () throws(SQLiteError) in
            var found: [StoredCommit] = []
            page.bind(last, at: 1)
            defer { page.reset() }
            while try page.step() {
                found.append(
                    StoredCommit(
                        first: page.int64(1), last: page.int64(0), timeMilliseconds: page.int64(2),
                        chain: Digest(page.blob(3))))
                if page.int64(0) >= position { break }
            }
            return found
        }
        // in a damaged database rows need not be in order
        if let newest = found.last, newest.last > last { last = newest.last } else { isAtEnd = true }
        return found
    }

    /// What is left when the events are at an end, up to a limit.
    func rest(limit: Int) throws(StorageError) -> [StoredCommit] {
        var rest: [StoredCommit] = []
        while rest.count < limit {
            let more = try commits(through: last == .max ? .max : last + 1)
            if more.isEmpty { break }
            rest += more
        }
        return rest
    }
}
