import EventStorage
import SQLite
import SchemaFiles

extension LedgerVerifier {
    /// What a witness has signed, as far as its key is known: over the checkpoints that are here.
    func checkCosignatures() throws(StorageError) {
        guard try ProofRows(connection).areThere() else { return }
        let rows = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.listCosignatures) }
        while try stored({ () throws(SQLiteError) in try rows.step() }) {
            let (size, lines) = (rows.int64(0), rows.text(1))
            // an altered checkpoint was named already
            guard let note = try? SignedNote(parsing: rows.text(2)) else { continue }
            switch options.cosigner?.judge(lines, of: note.text) {
            case .right: report.cosignatures += 1
            case .wrong:
                report.add(
                    .cosignatureWrong, at: size,
                    "What is kept as the witness's signature on the checkpoint of \(size) events is not its signature.")
            case .absent, nil: report.unverifiedCosignatures += 1
            }
        }
    }
}
