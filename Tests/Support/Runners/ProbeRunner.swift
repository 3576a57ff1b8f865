package import CaptureLedger
package import Foundation
import Synchronization

/// A host's model runner that sees what the store does with it: loads and releases, calls, how many of them overlapped, and on which
/// thread.
package final class ProbeRunner: ModelRunner {
    package struct Seen: Sendable, Hashable {
        package var loads = 0
        package var releases = 0
        package var calls = 0
        /// The most calls of one model at one time, and of all together.
        package var mostInOneModel = 0
        package var mostAtOnce = 0
    }

    private struct State {
        var seen: [String: Seen] = [:]
        var inside: [String: Int] = [:]
        var most = 0
        var loadingThreads: Set<UInt> = []
    }

    package typealias Load = @Sendable (_ name: String) throws -> Void
    package typealias Run = @Sendable (_ name: String, _ input: Data, _ outputs: [Int]) throws -> [Tensor]
    private let load: Load
    private let run: Run
    private let state = Mutex(State())

    /// - Parameters:
    ///   - load: what a load does before it succeeds.
    ///   - run: what a call answers; by default its input as a row of numbers, once for each output.
    package init(
        load: @escaping Load = { _ in },
        run: @escaping Run = { _, input, outputs in outputs.map { _ in Tensor(data: input, shape: [1, input.count / 4]) } }
    ) {
        self.load = load
        self.run = run
    }

    /// Of one model, by its file name.
    package func seen(_ name: String) -> Seen { state.withLock { $0.seen[name] ?? Seen() } }

    /// Of all of them together.
    package var seen: Seen {
        state.withLock { state in
            state.seen.values.reduce(into: Seen(mostAtOnce: state.most)) { sum, one in
                sum.loads += one.loads
                sum.releases += one.releases
                sum.calls += one.calls
                sum.mostInOneModel = max(sum.mostInOneModel, one.mostInOneModel)
            }
        }
    }

    /// Whether a load ran on the calling thread.
    package var loadedOnThisThread: Bool { state.withLock { $0.loadingThreads.contains(UInt(pthread_self())) } }

    package func loadModel(at url: URL) throws -> any LoadedModel {
        let name = url.lastPathComponent
        try load(name)
        state.withLock { state in
            state.seen[name, default: Seen()].loads += 1
            state.loadingThreads.insert(UInt(pthread_self()))
        }
        return Model(name, self)
    }

    private final class Model: LoadedModel {
        private let name: String
        private let probe: ProbeRunner
        private let inside = Mutex(0)

        init(_ name: String, _ probe: ProbeRunner) { (self.name, self.probe) = (name, probe) }

        deinit { probe.state.withLock { $0.seen[name, default: Seen()].releases += 1 } }

        func run(_ input: Data) throws -> Tensor { try run(input, outputs: [0])[0] }

        func run(_ input: Data, outputs: [Int]) throws -> [Tensor] {
            let here = inside.withLock { count in
                count += 1
                return count
            }
            defer { inside.withLock { $0 -= 1 } }
            probe.state.withLock { state in
                state.inside[name, default: 0] += 1
                state.most = max(state.most, state.inside.values.reduce(0, +))
                var seen = state.seen[name] ?? Seen()
                seen.calls += 1
                seen.mostInOneModel = max(here, seen.mostInOneModel)
                state.seen[name] = seen
            }
            defer { probe.state.withLock { $0.inside[name, default: 0] -= 1 } }
            return try probe.run(name, input, outputs)
        }
    }
}
