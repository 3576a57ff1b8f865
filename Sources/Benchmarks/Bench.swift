import CaptureLedger

/// The product's own measurements. Each makes a new ledger of its own in a scratch folder and removes it afterwards.
package enum Bench {
    /// Work on a fresh ledger in `folder`, which must be on the disk that is to be measured.
    static func withScratchLedger<Value>(
        in folder: String, _ body: (Ledger) async throws(LedgerError) -> Value
    ) async throws(LedgerError) -> Value {
        let scratch = try ScratchFolder(in: folder)
        let ledgerFolder = scratch.path + "/bench.ledger"
        _ = try Ledger.create(folder: ledgerFolder, options: CreateOptions(configurationFolder: scratch.path + "/config"))
        let ledger = try Ledger.open(folder: ledgerFolder)
        defer { ledger.closeAndWait() }
        return try await body(ledger)
    }
}
