package import FoundationEssentials
package import MediaChecks
import SystemCalls

/// A public model runner that can do without the public one's copies: those of `CaptureLedgerRunners`.
package protocol ProvidesCheckRunner {
    var checkRunner: any CheckModelRunner { get }
}

extension Inference {
    /// How the checks run what a host registered.
    package static func checkRunner(_ runner: any ModelRunner) -> any CheckModelRunner {
        if let named = runner as? NamedRunner, case .success(let made) = named.made { return checkRunner(made) }
        return (runner as? any ProvidesCheckRunner)?.checkRunner ?? HostModelRunner(runner: runner)
    }
}

/// Makes a host's model runner one of the checks'.
private struct HostModelRunner: CheckModelRunner {
    let runner: any ModelRunner

    func load(_ path: String) throws(ModelFault) -> any LoadedCheckModel {
        do { return HostModel(try runner.loadModel(at: URL(filePath: path))) } catch {
            throw Self.fault(.notReady, "the host's model runner could not load the model", error)
        }
    }

    /// What a host throws may say anything: only its type is passed on, unless it is ours.
    static func fault(_ code: ModelFault.Code, _ sentence: String, _ error: any Error) -> ModelFault {
        switch error {
        case let known as ModelFault: ModelFault(code, message: known.message, remedy: known.remedy)
        case let known as LedgerError: ModelFault(code, message: known.message, remedy: known.remedy)
        default:
            ModelFault(
                code, message: "\(sentence): it threw \(String(reflecting: type(of: error)))",
                remedy: "Correct the host's model runner.")
        }
    }
}

private final class HostModel: LoadedCheckModel {
    private let model: any LoadedModel

    init(_ model: any LoadedModel) { self.model = model }

    func run(_ input: FloatTensor, outputs: [Int]) throws(ModelFault) -> [FloatTensor] {
        var results: [FloatTensor] = []
        let tensors: [Tensor]
        do {
            let bytes = Data(input)
            tensors = outputs == [0] ? [try model.run(bytes)] : try model.run(bytes, outputs: outputs)
        } catch {
            let code = (error as? LedgerError).flatMap { ModelFault.Code(rawValue: $0.code.rawValue) } ?? .failed
            throw HostModelRunner.fault(code, "the host's model runner could not run the model", error)
        }
        for tensor in tensors { results.append(try FloatTensor(tensor)) }
        return results
    }
}

extension Data {
    /// Float32, little endian, row-major.
    package init(_ tensor: FloatTensor) { self.init(FloatBytes.bytes(of: tensor.values)) }
}

extension FloatTensor {
    /// - Throws: `wrong_shape` unless there are four bytes for each element of the shape (S36).
    package init(_ tensor: Tensor) throws(ModelFault) {
        let count = tensor.shape.reduce(1 as Int?) { product, side in
            guard let product, side >= 0 else { return nil }
            let (larger, isTooLarge) = product.multipliedReportingOverflow(by: side)
            return isTooLarge || larger > 1 << 28 ? nil : larger
        }
        guard let count, tensor.data.count == 4 * count else {
            throw ModelFault(
                .wrongShape, message: "the model runner gave \(tensor.data.count) bytes for the shape \(tensor.shape)",
                remedy: "Correct the model runner: an output is Float32 and has four bytes for each element of its shape.")
        }
        self.init(shape: tensor.shape, values: FloatBytes.floats(of: tensor.data.bytes))
    }
}
