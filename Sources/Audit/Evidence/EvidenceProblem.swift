/// Something in an evidence archive that is not as it was exported.
package struct EvidenceProblem: Error, Hashable, Sendable {
    /// An open set: a new code never breaks a `switch`.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The file is none, is cut short, or holds something that an archive of ours never does; nothing behind it was read.
        package static let archiveDamaged = Self(rawValue: "archive_damaged")
        /// An entry that every archive has is not there.
        package static let entryMissing = Self(rawValue: "entry_missing")
        /// An entry's bytes are not those that the listing names.
        package static let entryAltered = Self(rawValue: "entry_altered")
        package static let listingWrong = Self(rawValue: "listing_wrong")
        package static let manifestWrong = Self(rawValue: "manifest_wrong")
        package static let sessionUnreadable = Self(rawValue: "session_unreadable")
        package static let eventUnreadable = Self(rawValue: "event_unreadable")
        /// What is shown of an event is not what its stored bytes say.
        package static let eventDiffers = Self(rawValue: "event_differs")
        package static let eventMissing = Self(rawValue: "event_missing")
        /// An event of another session.
        package static let eventForeign = Self(rawValue: "event_foreign")
        /// What is shown of a private half is not what the stored bytes hold.
        package static let privateDiffers = Self(rawValue: "private_differs")
        /// A redacted archive holds something that it says it left out.
        package static let redactionBroken = Self(rawValue: "redaction_broken")
        package static let configurationWrong = Self(rawValue: "configuration_wrong")
        package static let findingsDiffer = Self(rawValue: "findings_differ")
        package static let attemptUnreadable = Self(rawValue: "attempt_unreadable")
        package static let attemptDiffers = Self(rawValue: "attempt_differs")
        /// An outcome rests on a request that is not here.
        package static let attemptMissing = Self(rawValue: "attempt_missing")
        package static let requestWrong = Self(rawValue: "request_wrong")
        package static let answerWrong = Self(rawValue: "answer_wrong")
        package static let answerMissing = Self(rawValue: "answer_missing")
        /// It is not the picture, the video or the page that the session took in.
        package static let mediaWrong = Self(rawValue: "media_wrong")
        package static let mediaMissing = Self(rawValue: "media_missing")
        package static let proofMissing = Self(rawValue: "proof_missing")
        /// The event is not in the tree that the checkpoint is about.
        package static let proofWrong = Self(rawValue: "proof_wrong")
        package static let checkpointUnreadable = Self(rawValue: "checkpoint_unreadable")
        package static let signatureWrong = Self(rawValue: "signature_wrong")
        /// The checkpoint is signed, and not by the key that was given.
        package static let keyUnexpected = Self(rawValue: "key_unexpected")
    }

    package let code: Code
    /// The entry of the archive.
    package let entry: String?
    /// Of the event.
    package let position: Int64?
    /// One sentence for people, with nothing personal in it.
    package let message: String

    package init(_ code: Code, in entry: String? = nil, at position: Int64? = nil, _ message: String) {
        self.code = code
        self.entry = entry
        self.position = position
        self.message = message
    }
}
