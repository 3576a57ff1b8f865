package import CaptureLedger

/// What became of a checkpoint that was to be witnessed.
package struct WitnessOutcome: Sendable, Hashable {
    package let url: String
    /// Events of the checkpoint; 0 where none could be made.
    package let treeSize: Int64
    /// What the witness had before, as far as is known.
    package let oldSize: Int64
    /// nil when the witness has it.
    package let failure: LedgerError?
    /// The witness's signature lines, when it gave some.
    package let cosignature: String?
    /// Whether that is the witness's, by the key of the settings; nil where they name none.
    package let isVerified: Bool?
    /// False when it had the checkpoint already and nothing was sent.
    package let wasSent: Bool
}
