/// A video of the document is being taken.
package struct HologramRecordingStarted: Hashable, Sendable {
    /// 1, 2, 3 … in the session.
    package let recording: Int

    package init(recording: Int) { self.recording = recording }
}

/// The recording ended without a video.
package struct HologramRecordingCancelled: Hashable, Sendable {
    package let recording: Int
    package let cause: RecordingEnd

    package init(recording: Int, cause: RecordingEnd) {
        self.recording = recording
        self.cause = cause
    }
}

/// What the client saw while scanning, a few observations together.
package struct GuidanceObserved: Hashable, Sendable {
    package let observations: [Observation]
    package let observedAtMilliseconds: Int64

    package init(observations: [Observation], observedAtMilliseconds: Int64) {
        self.observations = observations
        self.observedAtMilliseconds = observedAtMilliseconds
    }
}

/// What the user did beside capturing.
package struct InteractionRecorded: Hashable, Sendable {
    package let interaction: Interaction
    package let piece: Piece?
    /// When the user asked to be reminded.
    package let remindAtMilliseconds: Int64?

    package init(interaction: Interaction, piece: Piece?, remindAtMilliseconds: Int64?) {
        self.interaction = interaction
        self.piece = piece
        self.remindAtMilliseconds = remindAtMilliseconds
    }
}

/// An offline session learned its transaction before the first send.
package struct HologramTransactionBound: Hashable, Sendable {
    /// Keyed digest.
    package let transaction: Digest256

    package init(transaction: Digest256) { self.transaction = transaction }
}
