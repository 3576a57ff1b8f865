package import CaptureLedger
import EventStorage
import SystemCalls

extension Bench {
    /// Makes the past of a ledger, unless `keptAt` names one that has it, and measures how long its projections take to be made from
    /// it: first where there are none, then where they are there already.
    ///
    /// - Parameters:
    ///   - sessions: how many, with eight events or so each.
    ///   - path: a ledger that stays; nil: one in a scratch folder.
    ///   - folder: of the scratch folder, on the disk to measure.
    package static func rebuild(
        sessions: Int, rounds: Int, keptAt path: String?, folder: String
    ) throws(LedgerError) -> RebuildFigures {
        let scratch = path == nil ? try ScratchFolder(in: folder) : nil
        let ledgerFolder = path ?? (scratch?.path ?? folder) + "/bench.ledger"
        let isNew = try called { () throws(SystemError) in try FileStatus.of(ledgerFolder) } == nil
        if isNew {
            _ = try Ledger.create(
                folder: ledgerFolder, options: CreateOptions(configurationFolder: ledgerFolder + ".config"))
        }
        let ledger = try Ledger.open(folder: ledgerFolder)
        defer { ledger.closeAndWait() }
        var figures = RebuildFigures(ledger: path)
        if isNew {
            let began = SystemClock.monotonicNanoseconds()
            try MadeHistory(ledger, seed: 20_260_601).make(sessions: sessions)
            figures.makingSeconds = Double(SystemClock.monotonicNanoseconds() - began) / 1e9
        }
        for _ in 0..<max(1, rounds) {
            MemoryPeak.forget()
            let before = ResourceUse.ofThisProcess().processorSeconds
            let report = try ledger.rebuild()
            figures.processorSeconds.append(ResourceUse.ofThisProcess().processorSeconds - before)
            figures.events = report.events
            figures.seconds.append(report.seconds)
            figures.peakKibibytes = max(figures.peakKibibytes, MemoryPeak.kibibytes())
        }
        figures.sessions = try ledger.sessionCount()
        return figures
    }

    /// Runs a step over the event store and says what it threw in the façade's words.
    static func stored<Value: ~Copyable>(_ body: () throws(StorageError) -> Value) throws(LedgerError) -> Value {
        do { return try body() } catch { throw LedgerError(error) }
    }
}
