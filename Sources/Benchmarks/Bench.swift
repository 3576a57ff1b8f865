import CaptureLedger
import FoundationEssentials

/// The product's own measurements. Each makes a new ledger of its own in a scratch folder and removes it afterwards.
package enum Bench {
    /// Work on a fresh ledger in `folder`, which must be on the disk that is to be measured.
    static func withScratchLedger<Value>(
        in folder: String, _ body: (Ledger) async throws(LedgerError) -> Value
    ) async throws(LedgerError) -> Value {
        let scratch = "\(folder)/capture-ledger-bench-\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        } catch {
            throw LedgerError(
                code: .init(rawValue: "cannot_create"), message: "A scratch ledger cannot be made in \(folder).",
                remedy: "Name a folder that you may write to, on the disk to measure.")
        }
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        let ledgerFolder = scratch + "/bench.ledger"
        _ = try Ledger.create(folder: ledgerFolder, options: CreateOptions(configurationFolder: scratch + "/config"))
        let ledger = try Ledger.open(folder: ledgerFolder)
        defer { ledger.closeAndWait() }
        return try await body(ledger)
    }
}
