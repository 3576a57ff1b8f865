import CaptureLedger
import FoundationEssentials

/// A folder of its own for one measurement, removed with everything in it.
final class ScratchFolder {
    let path: String

    /// - Throws: `cannot_create`.
    init(in folder: String) throws(LedgerError) {
        path = "\(folder)/capture-ledger-bench-\(UUID().uuidString)"
        try Self.make(path)
    }

    /// Makes a folder and those above it where they are missing.
    ///
    /// - Throws: `cannot_create`.
    static func make(_ path: String) throws(LedgerError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw LedgerError(
                code: .init(rawValue: "cannot_create"), message: "The folder \(path) cannot be made for a scratch ledger.",
                remedy: "Name a folder that you may write to, on the disk to measure.")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
