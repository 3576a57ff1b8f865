import Audit
import EventStorage

/// How far a witness has come.
package struct WitnessStanding: Sendable, Equatable {
    package let url: String
    /// Events of the newest checkpoint that it has taken; 0 before the first.
    package let treeSize: Int64
    package let witnessedAtMilliseconds: Int64?
    package let cosignature: String?
    /// Events of the newest checkpoint that was signed; 0 before the first.
    package let signedSize: Int64
}

extension Ledger {
    /// nil where the settings name no witness. What it took before a restore is another log to it.
    package func witnessStanding() throws(LedgerError) -> WitnessStanding? {
        guard let url = settings.witness?.endpoint.url else { return nil }
        return try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let rows = ProofRows(context.connection)
                let newest = try rows.newestCheckpoint()
                var last = try rows.lastWitnessed(by: url)
                if let size = last?.treeSize, let newest {
                    let taken = try rows.checkpoint(from: size)
                    if taken?.treeSize != size || Self.origin(taken) != Self.origin(newest) { last = nil }
                }
                return WitnessStanding(
                    url: url, treeSize: last?.treeSize ?? 0, witnessedAtMilliseconds: last?.witnessedAtMilliseconds,
                    cosignature: last?.cosignature, signedSize: newest?.treeSize ?? 0)
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
}
