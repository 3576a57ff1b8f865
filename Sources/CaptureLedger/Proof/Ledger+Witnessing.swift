import Audit
import EventStorage

/// How far a witness has come.
package struct WitnessStanding: Sendable, Equatable {
    package let url: String
    /// Events of the newest checkpoint that it has taken; 0 before the first.
    package let treeSize: Int64
    package let witnessedAtMilliseconds: Int64?
    package let cosignature: String?
    /// Whether that is the witness's, by the key of the settings; nil where they name none.
    package let isVerified: Bool?
    /// Events of the newest checkpoint that was signed; 0 before the first.
    package let signedSize: Int64
}

extension Ledger {
    /// nil where the settings name no witness. What it took before a restore is another log to it.
    package func witnessStanding() throws(LedgerError) -> WitnessStanding? {
        guard let url = settings.witness?.endpoint.url else { return nil }
        let key = settings.witnessKey
        return try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let rows = ProofRows(context.connection)
                let newest = try rows.newestCheckpoint()
                var last = try rows.lastWitnessed(by: url)
                var taken: StoredCheckpoint?
                if let size = last?.treeSize, let newest {
                    taken = try rows.checkpoint(from: size)
                    if taken?.treeSize != size || Self.origin(taken) != Self.origin(newest) { last = nil }
                }
                let isVerified = key.map { key in
                    guard last != nil, let note = taken.flatMap({ try? SignedNote(parsing: $0.note) }),
                        case .right = key.judge(last?.cosignature ?? "", of: note.text)
                    else { return false }
                    return true
                }
                return WitnessStanding(
                    url: url, treeSize: last?.treeSize ?? 0, witnessedAtMilliseconds: last?.witnessedAtMilliseconds,
                    cosignature: last?.cosignature, isVerified: isVerified,
                    signedSize: newest?.treeSize ?? 0)
            }
        }
    }

    private static func origin(_ stored: StoredCheckpoint?) -> String? {
        stored.flatMap { try? SignedCheckpoint(parsing: $0.note) }?.checkpoint.origin
    }

    /// On record that the witness has taken the checkpoint of that size.
    package func noteWitnessed(treeSize: Int64, cosignature: String?) throws(LedgerError) {
        guard let url = settings.witness?.endpoint.url else { return }
        try writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            try translated { () throws(StorageError) in
                try context.writer.noteWitnessed(
                    by: url, treeSize: treeSize, atMilliseconds: context.nowMilliseconds, cosignature: cosignature)
            }
            return .success(())
        }
    }

    /// With its key in the settings a witness's answer counts for nothing but its signature.
    ///
    /// - Parameter lines: as it gave them.
    /// - Throws: `cosignature_missing`, `cosignature_wrong`.
    package func checkCosignature(_ lines: String, on made: MadeCheckpoint) throws(LedgerError) {
        guard let key = settings.witnessKey else { return }
        switch key.judge(lines, of: made.signed.note.text) {
        case .right: return
        case .absent:
            throw LedgerError(
                code: .init(rawValue: "cosignature_missing"),
                message: "The witness took the checkpoint and gave no signature of the key \(key.name).",
                remedy: "Ask its operator for the key that it signs with now, and write that as audit.witness.key.",
                isRetryable: true)
        case .wrong:
            throw LedgerError(
                code: .init(rawValue: "cosignature_wrong"),
                message: "What the witness gave as the signature of the key \(key.name) is none over this checkpoint.",
                remedy: "Trust nothing of it: compare audit.witness.url and audit.witness.key with its operator.")
        }
    }
}
