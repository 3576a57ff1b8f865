import Dispatch
import MediaChecks
import Synchronization

/// What a room holds for one model.
struct ModelSlot {
    var model: SharedModel?
    /// Read once and kept for as long as the model may be used, so that the two belong together.
    var descriptor: ModelDescriptor?
    /// The load on the way, and the registration whose runner does it.
    var loading: (number: Int, registration: Int)?
    /// Why the last load failed.
    var failure: ModelFault?
    var waiters: [Int: ModelWaiter] = [:]
}

/// A thread that waits for a model.
final class ModelWaiter: Sendable {
    private let answer = Mutex<Result<SharedModel, ModelFault>?>(nil)
    private let signal = DispatchSemaphore(value: 0)

    /// Only the first answer counts.
    func end(_ result: Result<SharedModel, ModelFault>) {
        let isFirst = answer.withLock { answer in
            guard answer == nil else { return false }
            answer = result
            return true
        }
        if isFirst { signal.signal() }
    }

    func wait() throws(ModelFault) -> SharedModel {
        signal.wait()
        guard let result = answer.withLock({ $0 }) else { preconditionFailure("signalled without an answer") }
        return try result.get()
    }
}
