import CaptureLedger
import FoundationEssentials

/// A folder of its own for one measurement, removed with everything in it.
final class ScratchFolder {
    let path: String

    /// - Throws: `cannot_create`.
    init(in folder: String) throws(LedgerError) {
        path = "\(folder)/capture-ledger-bench-\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw LedgerError(
                code: .init(rawValue: "cannot_create"), message: "A scratch ledger cannot be made in \(folder).",
                remedy: "Name a folder that you may write to, on the disk to measure.")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
