package import Audit
import Cryptography
import EventStorage
import SQLite
import SchemaFiles
import SystemCalls

/// What a restore for practice came to.
package struct DrillReport: Sendable, Equatable {
    package let restored: RestoreReport
    /// Of the restored ledger, every original opened with its key.
    package let verification: VerificationReport
    /// The tables that are derived from events, made anew, are the ones that were there.
    package let rebuiltSame: Bool
    /// From the first byte read to the last one compared.
    package let seconds: Double

    package var isGood: Bool { verification.isSound && rebuiltSame }
}

extension Ledger {
    /// Restores a backup into a temporary folder (under `TMPDIR`), verifies everything, and removes it: whether the backup is worth
    /// anything, and how long it would take when it has to be.
    ///
    /// - Throws: as `restore`, whose errors are what a drill is for. Nothing is left then either.
    package static func drill(
        _ path: String, options: RestoreOptions = RestoreOptions()
    ) throws(LedgerError) -> DrillReport {
        let folder = try called { () throws(SystemError) in try FileSystem.makeTemporaryFolder() }
        defer { try? RestoreFolder.removeTree(folder) }
        let start = SystemClock.monotonicNanoseconds()
        let restored = try restore(from: path, to: folder + "/drill.ledger", options: options)
        var open = LedgerOptions()
        open.clock = options.clock
        open.environment = options.environment
        let ledger = try Ledger.open(folder: restored.folder, options: open)
        defer { ledger.closeAndWait() }
        let verification = try ledger.verify()
        let before = try ledger.digestOfProjections()
        _ = try ledger.rebuild()
        let isSame = try ledger.digestOfProjections() == before
        let seconds = Double(SystemClock.monotonicNanoseconds() - start) / 1e9
        return DrillReport(restored: restored, verification: verification, rebuiltSame: isSame, seconds: seconds)
    }

    private func digestOfProjections() throws(LedgerError) -> Digest {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try stored { () throws(SQLiteError) in
                    var hash = SHA256()
                    var row = RowBytes()
                    for sql in [SchemaFiles.flowRows, SchemaFiles.deliveryRows] {
                        let rows = try Statement(context.connection, sql)
                        while try rows.step() {
                            row.removeAll()
                            rows.appendRow(to: &row, columns: 0..<12)
                            hash.update(row.bytes)
                        }
                    }
                    return hash.finish()
                }
            }
        }
    }
}
