import CaptureLedger
import MediaChecks

/// A policy that a word of the command line names: one that is not there is no matter of the settings.
enum PolicyFile {
    /// - Throws: `no_such_file` with 66; what is wrong in it.
    static func read(_ path: String) throws -> CheckPolicy {
        let bytes = try InputFile.bytes(path, limit: 1 << 16)
        do throws(PolicyProblem) { return try CheckPolicy(json5: bytes) } catch { throw LedgerError(error) }
    }
}
