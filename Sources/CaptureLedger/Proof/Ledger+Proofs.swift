package import Audit
import EventStorage

/// A proof that is asked for.
package enum ProofRequest: Hashable, Sendable {
    /// - Parameter size: of the tree; nil: of the smallest checkpoint that covers the event, else of the log as it is.
    case inclusion(position: Int64, size: Int64?)
    case consistency(from: Int64, to: Int64)
}

package enum LedgerProof: Sendable {
    case inclusion(InclusionProof)
    case consistency(ConsistencyProof)
}

extension Ledger {
    /// - Throws: `no_such_event`, `event_missing`.
    package func inclusionProof(position: Int64, size: Int64? = nil) throws(LedgerError) -> InclusionProof {
        var found: InclusionProof?
        try prove([.inclusion(position: position, size: size)]) { (proof) throws(LedgerError) in
            if case .inclusion(let proof) = proof { found = proof }
        }
        guard let found else { preconditionFailure("a proof that was asked for was not made") }
        return found
    }

    /// - Throws: `no_such_event`, `event_missing`.
    package func consistencyProof(from earlier: Int64, to size: Int64) throws(LedgerError) -> ConsistencyProof {
        var found: ConsistencyProof?
        try prove([.consistency(from: earlier, to: size)]) { (proof) throws(LedgerError) in
            if case .consistency(let proof) = proof { found = proof }
        }
        guard let found else { preconditionFailure("a proof that was asked for was not made") }
        return found
    }

    /// Makes proofs one after another; what one of them read serves the next.
    package func prove(
        _ requests: some Sequence<ProofRequest>, _ body: (LedgerProof) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        try read { (context) throws(LedgerError) in
            let (tree, rows) = try translated { () throws(StorageError) in
                (try TreeReader(context.connection), ProofRows(context.connection))
            }
            let last = try translated { () throws(StorageError) in try context.events.lastPosition() }
            for request in requests {
                switch request {
                case .inclusion(let position, let size):
                    guard position >= 1, position <= size ?? last, size ?? last <= last else { throw .noEvent(last) }
                    try body(.inclusion(try Self.inclusion(position, size, last, tree, rows)))
                case .consistency(let earlier, let size):
                    guard earlier >= 0, earlier <= size, size <= last else { throw .noEvent(last) }
                    let proof = try translated { () throws(StorageError) in
                        ConsistencyProof(
                            fromSize: earlier, fromRoot: try tree.root(size: earlier), toSize: size,
                            toRoot: try tree.root(size: size), path: try tree.consistencyPath(from: earlier, to: size))
                    }
                    try body(.consistency(proof))
                }
            }
        }
    }

    private static func inclusion(
        _ position: Int64, _ size: Int64?, _ last: Int64, _ tree: TreeReader, _ rows: ProofRows
    ) throws(LedgerError) -> InclusionProof {
        try translated { () throws(StorageError) in
            let checkpoint = try rows.checkpoint(from: size ?? position).flatMap { found in
                (size == nil || found.treeSize == size) && found.treeSize <= last ? found : nil
            }
            let size = size ?? checkpoint?.treeSize ?? last
            return InclusionProof(
                position: position, treeSize: size, leaf: try tree.leaf(at: position - 1),
                path: try tree.inclusionPath(index: position - 1, size: size), root: try tree.root(size: size),
                event: try tree.bytes(at: position), checkpoint: checkpoint?.note)
        }
    }
}

extension LedgerError {
    fileprivate static func noEvent(_ last: Int64) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "no_such_event"), message: "The log has \(last) events, and the proof asks for another one.",
            remedy: "Name positions and sizes within the log, the earlier size first.")
    }
}
