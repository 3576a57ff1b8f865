/// What a verification looks at beside the ledger itself.
package struct AuditOptions: Sendable {
    /// Checkpoints that were kept outside the ledger, as whole notes.
    package var checkpoints: [String] = []
    /// The key that they must be signed with, or that must endorse the one that signed them; nil trusts the ledger's own keys.
    package var key: NoteKey?
    /// The witness's key, with which its signatures are checked; nil: they are counted.
    package var cosigner: CosignerKey?
    /// False to look at the log alone: positions, versions, commits, the chain, the tree and its checkpoints.
    package var checksContent = true
    /// False for a copy of a ledger that has an epoch of its own and does not say so yet.
    package var checksEpoch = true
    /// The last position that is looked at: the end of a transaction.
    package var through: Int64 = .max

    package init() {}
}
