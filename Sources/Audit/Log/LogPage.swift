import Cryptography
import SQLite

/// Neighbouring events on their way from the thread that reads to the one that hashes, and what came of it on the way back.
/// One of the two has it at a time.
final class LogPage: @unchecked Sendable {
    let rows = StoredRows(reserving: 1 << 19)
    var positions: [Int64] = []
    /// As far as the events of this page need them.
    var commits: [StoredCommit] = []
    /// Sizes of the tree, within this page and rising, whose root is asked for.
    var sizes: [Int64] = []

    // The answer.
    var problems: [LedgerProblem] = []
    var closedCommits: Int64 = 0
    var roots: [(size: Int64, root: Digest)] = []
    /// Roots of the full groups of 256 leaves that ended in this page.
    var nodes: [Digest] = []

    func clear() {
        rows.removeAll()
        positions.removeAll(keepingCapacity: true)
        commits.removeAll(keepingCapacity: true)
        sizes.removeAll(keepingCapacity: true)
        problems.removeAll(keepingCapacity: true)
        closedCommits = 0
        roots.removeAll(keepingCapacity: true)
        nodes.removeAll(keepingCapacity: true)
    }
}
