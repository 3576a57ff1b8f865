import FoundationEssentials
import Synchronization

/// The runner that the settings name, made when a model is asked for first: most commands ask for none. Where it cannot be made each load
/// says why (S40).
final class NamedRunner: ModelRunner {
    private let make: @Sendable () throws(LedgerError) -> any ModelRunner
    private let kept = Mutex<Result<any ModelRunner, LedgerError>?>(nil)

    init(_ checks: CheckSettings, _ make: @escaping @Sendable (CheckSettings) throws(LedgerError) -> any ModelRunner) {
        self.make = { () throws(LedgerError) in try make(checks) }
    }

    /// Makes it where nobody has yet.
    var made: Result<any ModelRunner, LedgerError> {
        kept.withLock { kept in
            if let kept { return kept }
            let made: Result<any ModelRunner, LedgerError>
            do throws(LedgerError) { made = .success(try make()) } catch { made = .failure(error) }
            kept = made
            return made
        }
    }

    func loadModel(at url: URL) throws -> any LoadedModel { try made.get().loadModel(at: url) }
}
