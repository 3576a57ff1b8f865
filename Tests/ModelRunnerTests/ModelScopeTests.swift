import CaptureLedger
import CaptureLedgerTesting
import Foundation
import MediaChecks
import Synchronization
import TestSupport
import Testing

/// Scopes of checks: S37, S38 and F28.
@Suite(.timeLimit(.minutes(2))) struct ModelScopeTests {
    private let models: InstalledModels
    private let input = FloatTensor(shape: [1, 4, 4, 3], values: [Float](repeating: 0.5, count: 48))

    init() throws { models = try InstalledModels() }

    private func room(_ runner: (any ModelRunner)?, process: @escaping @Sendable () -> Int32 = { 1 }) -> ModelRoom {
        ModelRoom(runners: RunnerRegistry(runner), search: models.search, process: process)
    }

    @Test func `S37 64 checks at once never meet in one model`() async throws {
        let probe = ProbeRunner(run: { _, input, _ in
            var sum: Float = 0
            for step in 0..<20_000 { sum += Float(step).squareRoot() }
            return [Tensor(data: input, shape: sum > 0 ? [48] : [1])]
        })
        let scope = room(probe).open()
        let input = input
        let roles: [ModelRole] = [.passportDetector, .glare, .passportBlur]
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    await onThread {
                        roles.indices.allSatisfy { (try? scope.run(roles[($0 + number) % 3], input, outputs: [0]))?.count == 1 }
                    }
                }
            }
            for await wentWell in group { #expect(wentWell) }
        }
        let seen = probe.seen
        #expect(seen.calls == 192 && seen.loads == 3)
        #expect(seen.mostInOneModel == 1, "two calls met in one model")
        scope.close()
        #expect(probe.seen.releases == 3)
    }

    @Test func `S37 calls of different models may overlap`() async throws {
        let (glare, blur) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // each call ends only when the other has begun
        let probe = ProbeRunner(run: { name, input, _ in
            let (mine, others) = name == ModelRole.glare.fileName ? (glare, blur) : (blur, glare)
            mine.signal()
            let met = others.wait(timeout: .now() + 60) == .success
            return [Tensor(data: input, shape: met ? [48] : [])]
        })
        let scope = room(probe).open()
        let input = input
        async let first = onThread { try? scope.run(.glare, input, outputs: [0]) }
        async let second = onThread { try? scope.run(.passportBlur, input, outputs: [0]) }
        let results = await [first, second]
        #expect(results.allSatisfy { $0?.first?.shape == [48] })
        #expect(probe.seen.mostAtOnce == 2)
    }

    @Test func `S38 a model is loaded off the caller's thread when a scope opens, and released when the last one closes`()
        async throws
    {
        let loaded = DispatchSemaphore(value: 0)
        let probe = ProbeRunner { _ in loaded.signal() }
        let room = room(probe)
        let first = room.open(loading: [.glare])
        #expect(loaded.wait(timeout: .now() + 60) == .success, "opening begins to load what is named")
        let second = room.open()
        let input = input
        let wasElsewhere = await onThread {
            _ = try? second.run(.glare, input, outputs: [0])
            _ = try? second.run(.faceDetector, input, outputs: [0, 1])
            return !probe.loadedOnThisThread
        }
        #expect(wasElsewhere)
        #expect(probe.seen(ModelRole.glare.fileName).loads == 1 && probe.seen.loads == 2, "scopes share what is loaded")
        second.close()
        second.close()
        #expect(probe.seen.releases == 0)
        #expect(try first.run(.glare, input, outputs: [0]).count == 1)
        first.close()
        #expect(probe.seen.loads == 2 && probe.seen.releases == 2)
        #expect(throws: ModelFault.self) { try first.run(.glare, input, outputs: [0]) }
        var third: ModelScope? = room.open()
        _ = try third?.run(.glare, input, outputs: [0])
        #expect(probe.seen.loads == 3)
        third = nil
        #expect(probe.seen.releases == 3, "a scope that is let go of is closed")
    }

    @Test func `F28 a model that was loaded before a fork is not used after it`() throws {
        let process = Mutex<Int32>(1)
        let probe = ProbeRunner()
        let room = room(probe) { process.withLock { $0 } }
        let scope = room.open()
        _ = try scope.run(.glare, input, outputs: [0])
        _ = try scope.run(.glare, input, outputs: [0])
        #expect(probe.seen.loads == 1 && probe.seen.calls == 2)
        process.withLock { $0 = 2 }
        _ = try scope.run(.glare, input, outputs: [0])
        #expect(probe.seen.loads == 2, "the child loads its own")
        #expect(probe.seen.releases == 0, "what belongs to the parent is not touched")
        scope.close()
        #expect(probe.seen.releases == 1)
    }

    @Test func `a model that broke is loaded anew by the next call`() throws {
        let runner = BreakingRunner()
        let scope = ModelRoom(runners: RunnerRegistry(runner), search: models.search).open()
        _ = try scope.run(.glare, input, outputs: [0])
        #expect { _ = try scope.run(.glare, input, outputs: [1]) } throws: { ($0 as? ModelFault)?.code == .failed }
        #expect(try scope.run(.glare, input, outputs: [0]).first?.values == [2])
    }

    @Test func `S36 what goes in has the descriptor's shape, what comes out four bytes for each element of its own`() throws {
        let probe = ProbeRunner(run: { name, input, _ in
            switch name {
            case ModelRole.glare.fileName: [Tensor(data: input.dropLast(), shape: [48])]
            case ModelRole.passportBlur.fileName: [Tensor(data: input, shape: [1 << 40, 1 << 40])]
            case ModelRole.faceMesh.fileName: [Tensor(data: Data(), shape: [-1])]
            case ModelRole.faceDetector.fileName: []
            default: [Tensor(data: input, shape: [48])]
            }
        })
        let scope = room(probe).open()
        func code(_ role: ModelRole, _ input: FloatTensor) -> ModelFault.Code? {
            do throws(ModelFault) {
                _ = try scope.run(role, input, outputs: [0])
                return nil
            } catch { return error.code }
        }
        #expect(code(.passportDetector, input) == nil)
        #expect(code(.passportDetector, FloatTensor(shape: [1, 48], values: input.values)) == .wrongShape)
        #expect(
            code(.glare, input) == .wrongShape && code(.passportBlur, input) == .wrongShape
                && code(.faceMesh, input) == .wrongShape)
        #expect(probe.seen(ModelRole.passportDetector.fileName).calls == 1, "a wrong input does not reach the model")
    }
}

/// A runner of the checks' own whose models break when output 1 is asked for.
private final class BreakingRunner: ModelRunner, ProvidesCheckRunner, CheckModelRunner {
    private let loads = Mutex<Float>(0)
    var checkRunner: any CheckModelRunner { self }

    func loadModel(at url: URL) throws -> any LoadedModel { throw CancellationError() }

    func load(_ path: String) throws(ModelFault) -> any LoadedCheckModel {
        Model(
            number: loads.withLock { loads in
                loads += 1
                return loads
            })
    }

    private final class Model: LoadedCheckModel {
        let number: Float
        var isUsable = true

        init(number: Float) { self.number = number }

        func run(_ input: FloatTensor, outputs: [Int]) throws(ModelFault) -> [FloatTensor] {
            guard outputs == [0] else {
                isUsable = false
                throw ModelFault(.failed, message: "it broke", remedy: "load it anew")
            }
            return [FloatTensor(shape: [1], values: [number])]
        }
    }
}
