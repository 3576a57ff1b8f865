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
    /// In the order found, at most `problemLimit`.
    package private(set) var problems: [LedgerProblem] = []
    package private(set) var problemCount = 0

    package init() {}

    package var isSound: Bool { problemCount == 0 }

    mutating func add(_ problem: LedgerProblem) {
        problemCount += 1
        if problems.count < Self.problemLimit { problems.append(problem) }
    }

    mutating func add(_ code: LedgerProblem.Code, at position: Int64? = nil, _ message: String) {
        add(LedgerProblem(code, at: position, message))
    }
}
