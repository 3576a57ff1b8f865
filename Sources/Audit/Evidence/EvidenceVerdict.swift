package import SessionDomain

/// What a check of an evidence archive looked at and what it found.
package struct EvidenceVerdict: Sendable {
    /// More than these are counted and not kept.
    package static let problemLimit = 1000

    package internal(set) var session: UUID128?
    package internal(set) var ledger: UUID128?
    package internal(set) var isRedacted = false
    package internal(set) var isErased = false
    package internal(set) var exportedAtMilliseconds: Int64?
    package internal(set) var entries = 0
    package internal(set) var events = 0
    /// Events whose path leads to the root of the checkpoint.
    package internal(set) var provenEvents = 0
    /// Originals and pages whose bytes are those that the events commit to.
    package internal(set) var committedMedia = 0
    /// Private halves that were opened again from the stored bytes.
    package internal(set) var openedPrivateHalves = 0
    package internal(set) var attempts = 0
    /// Of these, named by an outcome's event, and so under the proof.
    package internal(set) var provenAttempts = 0
    package internal(set) var answers = 0
    package internal(set) var leftOut = 0
    package internal(set) var treeSize: Int64?
    package internal(set) var root: String?
    package internal(set) var signedAtMilliseconds: Int64?
    /// The key of the signature, as verifiers are given it.
    package internal(set) var key: String?
    /// The key was given by whoever asked, and not taken from the archive.
    package internal(set) var isKeyTrusted = false
    /// The key that signed the checkpoint signed the manifest, and so every byte of the file.
    package internal(set) var isManifestSigned = false
    /// In the order found, at most `problemLimit`.
    package private(set) var problems: [EvidenceProblem] = []
    package private(set) var problemCount = 0

    package init() {}

    package var isSound: Bool { problemCount == 0 }

    mutating func add(_ problem: EvidenceProblem) {
        problemCount += 1
        if problems.count < Self.problemLimit { problems.append(problem) }
    }

    mutating func add(
        _ code: EvidenceProblem.Code, in entry: EvidenceName? = nil, at position: Int64? = nil, _ message: String
    ) {
        add(EvidenceProblem(code, in: entry?.text, at: position, message))
    }
}
