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

        /// SQLite cannot read the database, or finds that its parts do not fit.
        package static let databaseDamaged = Self(rawValue: "database_damaged")
        /// A table, an index or a trigger is not as this version makes it.
        package static let schemaAltered = Self(rawValue: "schema_altered")
        package static let configurationAltered = Self(rawValue: "configuration_altered")
        /// The epoch is neither that of the checkpoints nor that of the last restore.
        package static let epochUnexplained = Self(rawValue: "epoch_unexplained")

        /// A stored node of the tree is not made of the events below it.
        package static let tileWrong = Self(rawValue: "tile_wrong")
        /// The checkpoint cannot be read, or is not the one that its row says.
        package static let checkpointAltered = Self(rawValue: "checkpoint_altered")
        /// No key that is trusted has signed the checkpoint.
        package static let checkpointUnsigned = Self(rawValue: "checkpoint_unsigned")
        /// The first events are not those that were signed.
        package static let checkpointWrong = Self(rawValue: "checkpoint_wrong")
        /// Events that were signed are not there any more.
        package static let logTruncated = Self(rawValue: "log_truncated")
        /// Events that were signed were lost when the ledger was restored from an older backup.
        package static let lostByRestore = Self(rawValue: "lost_by_restore")
        /// A checkpoint or a key of another ledger was given.
        package static let checkpointForeign = Self(rawValue: "checkpoint_foreign")
        package static let signingKeyForeign = Self(rawValue: "signing_key_foreign")
        /// A key that signs checkpoints is not signed by the one before it.
        package static let keyNotEndorsed = Self(rawValue: "key_not_endorsed")
        /// A key that signs checkpoints is not the one of its event, or its private half is another.
        package static let signingKeyWrong = Self(rawValue: "signing_key_wrong")

        /// What is kept as a witness's signature is none.
        package static let cosignatureWrong = Self(rawValue: "cosignature_wrong")

        /// No attempt of the delivery is the one that the outcome names.
        package static let attemptAltered = Self(rawValue: "attempt_altered")
        package static let evidenceMissing = Self(rawValue: "evidence_missing")
        package static let evidenceAltered = Self(rawValue: "evidence_altered")
        package static let evidenceUnreadable = Self(rawValue: "evidence_unreadable")
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
