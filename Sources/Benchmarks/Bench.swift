import CaptureLedger
import SystemCalls

/// The product's own measurements. Each makes a new ledger of its own in a scratch folder and removes it afterwards.
package enum Bench {
    /// Work on a fresh ledger in `folder`, which must be on the disk that is to be measured.
    ///
    /// - Parameter kept: a folder for it that stays, made where it is missing; a ledger of an earlier run there is gone on with.
    ///   nil: one in `folder` that goes.
    static func withLedger<Value>(
        in folder: String, kept: String? = nil, _ body: (Ledger) async throws(LedgerError) -> Value
    ) async throws(LedgerError) -> Value {
        let scratch = kept == nil ? try ScratchFolder(in: folder) : nil
        if let kept { try ScratchFolder.make(kept) }
        let place = kept ?? scratch?.path ?? folder
        let isThere = try called { () throws(SystemError) in try FileStatus.of(ledgerPath(in: place)) } != nil
        let ledger = isThere ? try Ledger.open(folder: ledgerPath(in: place)) : try makeLedger(in: place)
        defer { ledger.closeAndWait() }
        let value = try await body(ledger)
        withExtendedLifetime(scratch) {}
        return value
    }

    /// Makes `bench.ledger` in a folder, with its master key beside it.
    static func makeLedger(in folder: String, options: LedgerOptions = LedgerOptions()) throws(LedgerError) -> Ledger {
        let path = ledgerPath(in: folder)
        _ = try Ledger.create(folder: path, options: CreateOptions(configurationFolder: folder + "/config"))
        return try Ledger.open(folder: path, options: options)
    }

    package static func ledgerPath(in folder: String) -> String { folder + "/bench.ledger" }

    /// Uses the ledger at `path`, or one that is made in `folder` with so many events and goes afterwards.
    static func withHistory<Value>(
        at path: String?, events: Int, folder: String, options: LedgerOptions = LedgerOptions(),
        _ body: (Ledger) async throws(LedgerError) -> Value
    ) async throws(LedgerError) -> Value {
        let scratch = path == nil ? try ScratchFolder(in: folder) : nil
        if let scratch {
            var extent = BenchExtent(events: events, rounds: 1)
            extent.batch = 1000
            _ = try await append(clients: 1, extent: extent, folder: folder, kept: scratch.path)
        }
        let ledger = try Ledger.open(folder: path ?? ledgerPath(in: scratch?.path ?? folder), options: options)
        defer { ledger.closeAndWait() }
        let value = try await body(ledger)
        withExtendedLifetime(scratch) {}
        return value
    }
}
