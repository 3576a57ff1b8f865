public import CaptureLedger
public import FoundationEssentials
package import MediaChecks
import ModelRunners

/// Runs models in processes of a program in any language, one process for each loaded model. The program speaks the messages of
/// docs/model-runners.md; docs/ExampleRunner has one in Python.
///
/// A process that crashes, hangs or writes nonsense is killed and reaped: the call throws, and the next load starts another one.
public struct ChildProcessRunner: ModelRunner {
    private let runner: ChildRunner

    /// - Parameters:
    ///   - program: an executable file.
    ///   - arguments: behind its name.
    ///   - loadLimit: how long a process may take to start and to load its model.
    ///   - runLimit: how long it may take for one input.
    public init(
        program: URL, arguments: [String] = [], loadLimit: Duration = .seconds(30), runLimit: Duration = .seconds(10)
    ) {
        runner = ChildRunner(
            path: program.path, arguments: arguments, loadMilliseconds: Int64(loadLimit / .milliseconds(1)),
            runMilliseconds: Int64(runLimit / .milliseconds(1)))
    }

    /// - Throws: `LedgerError` with `not_ready`. What is loaded throws `wrong_shape`, or `failed` for a process that broke.
    public func loadModel(at url: URL) throws -> any LoadedModel {
        do throws(ModelFault) { return RunnerModel(try runner.runnable(url.path)) } catch { throw LedgerError(error) }
    }
}

extension ChildProcessRunner: ProvidesCheckRunner {
    package var checkRunner: any CheckModelRunner { runner }
}
