/// Something in a ledger that is not as it was written.
package struct LedgerProblem: Hashable, Sendable {
    /// An open set: a new code never breaks a `switch`.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// A position is missing.
        package static let positionGap = Self(rawValue: "position_gap")
        /// A session's versions are not 1, 2, 3 …
        package static let versionGap = Self(rawValue: "version_gap")
        package static let versionsOutOfOrder = Self(rawValue: "versions_out_of_order")
        package static let sessionMissing = Self(rawValue: "session_missing")
        package static let eventOutsideCommits = Self(rawValue: "event_outside_commits")
        /// A commit does not begin where the last one ended, or its events are gone.
        package static let commitGap = Self(rawValue: "commit_gap")
        package static let commitWithoutEvents = Self(rawValue: "commit_without_events")
        /// A stored byte of these events, or of an earlier commit, is another.
        package static let chainBroken = Self(rawValue: "chain_broken")
        package static let factsUnreadable = Self(rawValue: "facts_unreadable")
        package static let privateUnreadable = Self(rawValue: "private_unreadable")
        /// The file is gone and no event says why.
        package static let mediaMissing = Self(rawValue: "media_missing")
        /// The sealed file is not the one that the event names.
        package static let mediaAltered = Self(rawValue: "media_altered")
        package static let mediaUnreadable = Self(rawValue: "media_unreadable")
        package static let commitmentWrong = Self(rawValue: "commitment_wrong")
        package static let erasedMediaPresent = Self(rawValue: "erased_media_present")
        /// The log says that the session is erased, and its key still opens.
        package static let erasedKeyAlive = Self(rawValue: "erased_key_alive")
        /// The key is destroyed and the log names no erasure.
        package static let keyLost = Self(rawValue: "key_lost")
        package static let keyUnreadable = Self(rawValue: "key_unreadable")
    }

    package let code: Code
    /// Where in the log; nil for what concerns the whole ledger.
    package let position: Int64?
    /// One sentence for people, with nothing personal in it.
    package let message: String

    package init(_ code: Code, at position: Int64? = nil, _ message: String) {
        self.code = code
        self.position = position
        self.message = message
    }
}
