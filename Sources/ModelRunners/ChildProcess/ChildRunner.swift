package import MediaChecks
import SystemCalls

/// Runs models in processes of a program that a host writes in any language, one for each loaded model: what breaks it breaks one
/// model and no more. The messages are in docs/model-runners.md.
package struct ChildRunner: CheckModelRunner {
    let path: String
    let arguments: [String]
    let loadMilliseconds: Int64
    let runMilliseconds: Int64

    /// What a process may use of the shared memory, half for what goes in and half for what comes out.
    static let memoryBytes = 64 << 20

    /// - Parameters:
    ///   - path: of the program.
    ///   - loadMilliseconds: how long it may take to start and to load a model.
    ///   - runMilliseconds: how long it may take for one input.
    package init(path: String, arguments: [String] = [], loadMilliseconds: Int64 = 30_000, runMilliseconds: Int64 = 10_000) {
        self.path = path
        self.arguments = arguments
        self.loadMilliseconds = max(1, loadMilliseconds)
        self.runMilliseconds = max(1, runMilliseconds)
    }

    package func load(_ path: String) throws(ModelFault) -> any LoadedCheckModel { try runnable(path) }

    package func runnable(_ path: String) throws(ModelFault) -> any RunnableModel { try ChildModel(self, path) }
}
