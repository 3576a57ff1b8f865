import CaptureLedger
import FoundationEssentials
import MediaChecks
import ModelRunners
import SystemCalls

/// A model of one of our runners, as a host calls it.
final class RunnerModel: LoadedModel {
    private let model: any RunnableModel

    init(_ model: any RunnableModel) { self.model = model }

    func run(_ input: Data) throws -> Tensor {
        guard let tensor = try run(input, outputs: [0]).first else { preconditionFailure("as many outputs as were asked for") }
        return tensor
    }

    func run(_ input: Data, outputs: [Int]) throws -> [Tensor] {
        do throws(ModelFault) {
            let results = try model.run(FloatTensor(Tensor(data: input, shape: model.inputShape)), outputs: outputs)
            return results.map { Tensor(data: Data($0), shape: $0.shape) }
        } catch { throw LedgerError(error) }
    }
}
