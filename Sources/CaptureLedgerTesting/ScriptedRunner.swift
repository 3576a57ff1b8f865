public import CaptureLedger
public import FoundationEssentials
import Synchronization

/// A model runner whose models answer what the test wrote down, and which counts loads, releases and calls that overlap.
public final class ScriptedRunner: ModelRunner {
    /// What `loadModel` does when the test wrote nothing down for a model.
    public struct NoSuchModel: Error { public let name: String }

    public struct Counts: Sendable, Hashable {
        public var loads = 0
        public var releases = 0
        public var calls = 0
        /// The most calls of one model at one time: a pipeline that keeps its promise shows 1.
        public var mostAtOnce = 0
    }

    public typealias Answer = @Sendable (_ input: Data) throws -> Tensor
    private let answers: [String: Answer]
    private let counted = Mutex(Counts())

    /// - Parameter answers: by the file name of the model.
    public init(_ answers: [String: Answer]) { self.answers = answers }

    public var counts: Counts { counted.withLock { $0 } }

    public func loadModel(at url: URL) throws -> any LoadedModel {
        let name = url.lastPathComponent
        guard let answer = answers[name] else { throw NoSuchModel(name: name) }
        counted.withLock { $0.loads += 1 }
        return Model(answer: answer, runner: self)
    }

    private final class Model: LoadedModel {
        private let answer: Answer
        private let runner: ScriptedRunner
        private let running = Mutex(0)

        init(answer: @escaping Answer, runner: ScriptedRunner) {
            self.answer = answer
            self.runner = runner
        }

        deinit { runner.counted.withLock { $0.releases += 1 } }

        func run(_ input: Data) throws -> Tensor {
            let atOnce = running.withLock { count in
                count += 1
                return count
            }
            defer { running.withLock { $0 -= 1 } }
            runner.counted.withLock { counts in
                counts.calls += 1
                counts.mostAtOnce = max(counts.mostAtOnce, atOnce)
            }
            return try answer(input)
        }
    }
}
