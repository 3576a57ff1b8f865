import Cryptography
import EventStorage
import SessionDomain

/// Recomputes leaves, the chain over the commits, and the tree, from bytes that somebody else has read. One thread at a time.
final class LogHasher: @unchecked Sendable {
    private var hash = SHA256()
    private var chain: Digest
    private var leaves: [UInt8] = []
    private var commits: [StoredCommit] = []
    private var nextCommit = 0
    /// The last position that a commit accounts for.
    private var covered: Int64 = 0
    /// Roots of the full subtrees that the leaves so far are made of, the largest first.
    private var peaks: [Digest] = []
    private(set) var size: Int64 = 0

    init(ledgerID: UUID128) { chain = CommitChain.beginning(ledgerID: ledgerID) }

    func take(_ page: LogPage) {
        add(page.commits)
        var wanted = page.sizes[...]
        for (index, position) in page.positions.enumerated() {
            let leaf = page.rows.withSpan(index) { hash.digest(prefix: 0, $0) }
            addToChain(leaf, position, page)
            addToTree(leaf, page)
            while let first = wanted.first, first <= size {
                page.roots.append((first, root()))
                wanted.removeFirst()
            }
        }
    }

    /// Whatever the commits name beyond the last event is missing.
    func finish(_ page: LogPage, nextPosition: Int64, end: Int64) {
        add(page.commits)
        while nextCommit < commits.count, commits[nextCommit].first < nextPosition { close(page) }
        if nextCommit < commits.count, commits[commits.count - 1].last > end {
            let first = commits[nextCommit].first
            page.problems.append(
                LedgerProblem(.commitWithoutEvents, at: first, "The events from position \(first) on are missing."))
        }
    }

    private func add(_ more: [StoredCommit]) {
        commits.removeFirst(nextCommit)
        nextCommit = 0
        commits += more
    }

    private func addToChain(_ leaf: Digest, _ position: Int64, _ page: LogPage) {
        while nextCommit < commits.count, commits[nextCommit].last < position { close(page) }
        guard nextCommit < commits.count, commits[nextCommit].first <= position else {
            page.problems.append(LedgerProblem(.eventOutsideCommits, at: position, "No commit covers the event."))
            return
        }
        leaf.append(to: &leaves)
        if commits[nextCommit].last == position { close(page) }
    }

    private func close(_ page: LogPage) {
        let commit = commits[nextCommit]
        nextCommit += 1
        page.closedCommits += 1
        if commit.first != covered + 1 {
            page.problems.append(
                LedgerProblem(
                    .commitGap, at: covered + 1, "A commit begins at \(commit.first) and not at \(covered + 1)."))
        }
        if Int64(leaves.count / 32) != commit.last &- commit.first &+ 1 {
            page.problems.append(
                LedgerProblem(
                    .commitWithoutEvents, at: commit.first,
                    "A commit names positions \(commit.first) to \(commit.last), and \(leaves.count / 32) of them are there."))
        }
        let expected = CommitChain.next(
            after: chain, first: commit.first, last: commit.last, committedAtMilliseconds: commit.timeMilliseconds,
            leaves: leaves, using: &hash)
        if expected != commit.chain {
            page.problems.append(
                LedgerProblem(
                    .chainBroken, at: commit.first,
                    "Positions \(commit.first) to \(commit.last) do not give the chain value that was stored: a byte was altered."
                ))
        }
        // One altered commit is one problem: the next is judged from the value that is stored.
        chain = commit.chain ?? expected
        covered = commit.last
        leaves.removeAll(keepingCapacity: true)
    }

    private func addToTree(_ leaf: Digest, _ page: LogPage) {
        var node = leaf
        var (rest, height) = (size, 0)
        while rest & 1 == 1 {
            node = MerkleTree.parent(peaks.removeLast(), node, using: &hash)
            rest >>= 1
            height += 1
            if height == TreeTile.height { page.nodes.append(node) }
        }
        peaks.append(node)
        size += 1
    }

    private func root() -> Digest {
        guard var root = peaks.last else { return MerkleTree.emptyRoot }
        for peak in peaks.dropLast().reversed() { root = MerkleTree.parent(peak, root, using: &hash) }
        return root
    }
}
