public import CaptureLedger
public import FoundationEssentials
package import MediaChecks
import ModelRunners

/// Runs models in this process with TensorFlow Lite's C library, which is looked for when this is made: nothing is linked.
///
/// ```swift
/// Inference.runner = try TensorFlowLiteRunner()
/// ```
public struct TensorFlowLiteRunner: ModelRunner {
    private let runner: TensorFlowLite

    /// - Parameters:
    ///   - library: `libtensorflowlite_c.so`, version 2.17; nil: the file that `CAPTURE_LEDGER_TFLITE` names, or the first of
    ///     `.runtime/tensorflow-lite` beside the program, `../lib/capture-ledger`, and `.runtime/tensorflow-lite` of the source tree that
    ///     the program was built in (`make setup` puts it there).
    ///   - threads: for each model, 1 to 64. The results do not depend on it.
    /// - Throws: `not_ready` without a library that fits.
    public init(library: URL? = nil, threads: Int = 1) throws(LedgerError) {
        do throws(ModelFault) { runner = try TensorFlowLite(library: library?.path, threads: threads) } catch {
            throw LedgerError(error)
        }
    }

    /// The library's version, such as `2.17.1`.
    public var version: String { runner.library.version }

    /// - Throws: `LedgerError` with `not_ready` for a file that is no model or a damaged one, `wrong_shape` for a model whose input is not
    ///   float32. What is loaded throws `wrong_shape` unless it is given four bytes for each number of its input.
    public func loadModel(at url: URL) throws -> any LoadedModel {
        do throws(ModelFault) { return RunnerModel(try runner.runnable(url.path)) } catch { throw LedgerError(error) }
    }
}

extension TensorFlowLiteRunner: ProvidesCheckRunner {
    package var checkRunner: any CheckModelRunner { runner }
}
