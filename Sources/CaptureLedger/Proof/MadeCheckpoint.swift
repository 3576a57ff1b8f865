package import Audit
package import SessionDomain

/// A checkpoint to be given out, and the key that whoever gets it checks it with.
package struct MadeCheckpoint: Sendable {
    package let signed: SignedCheckpoint
    package let generation: Int64
    package let key: NoteKey
    /// False when nothing had been appended since: it is the one that was signed before.
    package let isNew: Bool
    /// The key that was made for it, as an event; nil when there was one.
    package let keyPosition: Int64?

    package var treeSize: Int64 { signed.checkpoint.treeSize }
    package var note: String { signed.note.encoded }
}

/// How a checkpoint is made.
package struct CheckpointOptions: Sendable {
    /// Sign with a new key from now on, which the one in use endorses.
    package var makesNewKey = false
    /// False to compute the roots from every event in place of the stored tiles.
    package var trustsTiles = true
    package var commandID: CommandID?
    package var actor: String?

    package init() {}
}
