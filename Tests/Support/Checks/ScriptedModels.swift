package import MediaChecks
import Synchronization

/// A supply whose models answer as they are told, and count how often they are asked.
package final class ScriptedModels: ModelSupply {
    package typealias Answer = @Sendable (FloatTensor) throws(ModelFault) -> [FloatTensor]

    private struct State {
        var descriptors: [ModelRole: ModelDescriptor] = [:]
        var answers: [ModelRole: Answer] = [:]
        var calls: [ModelRole] = []
        var inputs: [ModelRole: [[Int]]] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package func install(_ role: ModelRole, _ descriptor: ModelDescriptor, _ answer: @escaping Answer) {
        state.withLock { state in
            state.descriptors[role] = descriptor
            state.answers[role] = answer
        }
    }

    package func remove(_ role: ModelRole) { state.withLock { $0.descriptors[role] = nil } }

    /// How often a model ran.
    package func calls(_ role: ModelRole) -> Int { state.withLock { $0.calls.count { $0 == role } } }

    /// The models that ran, in order.
    package var order: [ModelRole] { state.withLock { $0.calls } }

    /// The shapes that a model was given.
    package func inputs(_ role: ModelRole) -> [[Int]] { state.withLock { $0.inputs[role] ?? [] } }

    package func descriptor(_ role: ModelRole) throws(ModelFault) -> ModelDescriptor? {
        state.withLock { $0.descriptors[role] }
    }

    package func run(_ role: ModelRole, _ input: FloatTensor, outputs: [Int]) throws(ModelFault)
        -> [FloatTensor]
    {
        let answer = state.withLock { state -> Answer? in
            state.calls.append(role)
            state.inputs[role, default: []].append(input.shape)
            return state.answers[role]
        }
        guard let answer else {
            throw ModelFault(
                .notReady, message: "Nothing was scripted for this model.", remedy: "Script it.")
        }
        let results = try answer(input)
        return outputs.compactMap { $0 < results.count ? results[$0] : nil }
    }
}

extension ModelDescriptor {
    /// Of a model in a test: 1/255, and a digest that says which it is.
    package static func scripted(
        _ role: ModelRole, side: Int, _ classNames: [String], normalized: Bool = true,
        scale: Double = 1.0 / 255, offset: Double = 0
    ) -> ModelDescriptor {
        ModelDescriptor(
            inputWidth: side, inputHeight: side, scale: scale, offset: offset, classNames: classNames,
            boxesAreNormalized: normalized, digest: "digest of \(role.rawValue)", licence: "Apache-2.0")
    }
}
