import MediaChecks
import Synchronization

/// One loaded model behind its gate: calls to it come one after the other, whoever makes them (S37).
final class SharedModel: Sendable {
    private let gate: Mutex<Held>
    private let isReleased = Atomic(false)

    private struct Held {
        var model: (any LoadedCheckModel)?
    }

    init(_ model: sending any LoadedCheckModel) { gate = Mutex(Held(model: model)) }

    /// - Throws: what the model throws; `not_ready` once it was released.
    func run(_ input: FloatTensor, outputs: [Int]) throws(ModelFault) -> [FloatTensor] {
        try gate.withLock { (held: inout sending Held) throws(ModelFault) -> [FloatTensor] in
            defer { if isReleased.load(ordering: .acquiring) { held.model = nil } }
            guard let model = held.model else { throw ModelRoom.closed }
            return try model.run(input, outputs: outputs)
        }
    }

    /// Whether another call can succeed after one that failed.
    var isUsable: Bool { gate.withLock { $0.model?.isUsable ?? false } }

    /// Lets go of the model now, or when the call that is in it ends.
    func release() {
        isReleased.store(true, ordering: .releasing)
        _ = gate.withLockIfAvailable { $0.model = nil }
    }
}
