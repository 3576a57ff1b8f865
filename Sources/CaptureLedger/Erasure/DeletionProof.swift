package import EventStorage
package import SessionDomain

/// What can be shown of a deletion: what was destroyed, when, by which event, and that nothing of it is there any more.
package struct DeletionProof: Sendable {
    package enum Subject: Sendable, Equatable {
        case session
        case capture(CaptureID)
    }

    /// Something that is not as it should be after a deletion.
    package struct Problem: Sendable, Equatable {
        package let code: String
        package let message: String
    }

    package struct Original: Sendable, Equatable {
        package let capture: CaptureID
        package let piece: String
        package let bytes: Int64
        package let sealedDigest: String
        /// Of the event that names it.
        package let position: Int64
        /// Of the event that says that it was destroyed, and its time and cause.
        package let destroyedPosition: Int64?
        package let destroyedAtMilliseconds: Int64?
        package let cause: String?
        /// Its sealed files, the page crop's included, that are still there.
        package let filesPresent: Int
    }

    package let subject: Subject
    package let session: SessionID
    package internal(set) var problems: [Problem] = []
    /// Of the event that says so.
    package internal(set) var position: Int64?
    package internal(set) var erasedAtMilliseconds: Int64?
    package internal(set) var keyNumber: Int64?
    /// `none`, `active` or `destroyed`; nil without the master key.
    package internal(set) var keyState: String?
    package internal(set) var progress: ErasureProgress?
    package internal(set) var originals: [Original] = []
    package internal(set) var evidencePresent = 0
    package internal(set) var evidence = 0
    package internal(set) var traces = SessionTraces.none
    /// The line of the tombstone file, canonical.
    package internal(set) var tombstone: String?
    package internal(set) var recipients: [Recipient] = []
    package internal(set) var provedAtMilliseconds: Int64 = 0
    /// The last event of the ledger when this was looked at.
    package internal(set) var lastPosition: Int64 = 0

    package var isProved: Bool { problems.isEmpty }
}
