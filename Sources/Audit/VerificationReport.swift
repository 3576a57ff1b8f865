/// What a verification looked at and what it found.
package struct VerificationReport: Hashable, Sendable {
    /// More than these are counted and not kept, so that a ruined ledger does not fill the memory.
    package static let problemLimit = 1000

    package internal(set) var events: Int64 = 0
    package internal(set) var commits: Int64 = 0
    /// Sealed originals, and crops of them, whose digest was compared.
    package internal(set) var media: Int64 = 0
    /// Of these, opened with their session's key.
    package internal(set) var openedMedia: Int64 = 0
    package internal(set) var openedPrivateHalves: Int64 = 0
    /// Attempts whose digest an outcome names, and that were found.
    package internal(set) var attempts: Int64 = 0
    /// Archived answers that are there; with keys, that are what was archived.
    package internal(set) var evidence: Int64 = 0
    /// Checkpoints whose signature and root were recomputed, those given from outside among them.
    package internal(set) var checkpoints: Int64 = 0
    /// Signatures of a witness that were checked with its key.
    package internal(set) var cosignatures: Int64 = 0
    /// Those that were not: kept for whoever has the key.
    package internal(set) var unverifiedCosignatures: Int64 = 0
    /// Stored nodes of the tree that were compared.
    package internal(set) var treeNodes: Int64 = 0
    /// Events that the newest checkpoint covers; 0 without one.
    package internal(set) var provenThrough: Int64 = 0
    /// Sealed files that an import left elsewhere, as a note sealed with the ledger's key says.
    package internal(set) var sealedElsewhere: Int64 = 0
    /// In the order of their positions, at most `problemLimit`.
    package private(set) var problems: [LedgerProblem] = []
    package private(set) var problemCount = 0

    package init() {}

    package var isSound: Bool { problemCount == 0 }

    package mutating func add(_ problem: LedgerProblem) {
        problemCount += 1
        if problems.count < Self.problemLimit { problems.append(problem) }
    }

    /// What concerns the whole ledger first, then by position.
    mutating func sort() {
        problems = problems.enumerated().sorted { left, right in
            let (first, second) = (left.element.position ?? 0, right.element.position ?? 0)
            return first == second ? left.offset < right.offset : first < second
        }.map(\.element)
    }

    mutating func add(_ code: LedgerProblem.Code, at position: Int64? = nil, _ message: String) {
        add(LedgerProblem(code, at: position, message))
    }
}
