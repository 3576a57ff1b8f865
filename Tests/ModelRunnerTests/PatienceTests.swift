import CaptureLedger
import CaptureLedgerTesting
import Foundation
import MediaChecks
import Synchronization
import TestSupport
import Testing

/// A check that has no model waits five seconds of the injected clock and no longer: S39 and S40.
@Suite(.timeLimit(.minutes(2))) struct PatienceTests {
    private typealias Answer = Result<[FloatTensor], ModelFault>
    fileprivate let models: InstalledModels
    fileprivate let clock = VirtualClock()
    private let runners = RunnerRegistry()
    private let room: ModelRoom
    /// Signalled when a load has failed and its error is recorded.
    private let failed = DispatchSemaphore(value: 0)
    private let input = FloatTensor(shape: [1, 4, 4, 3], values: [Float](repeating: 0.5, count: 48))

    init() throws {
        models = try InstalledModels()
        let failed = failed
        room = ModelRoom(runners: runners, search: models.search, clock: clock.store, note: { _, _ in failed.signal() })
    }

    private func arrives(_ signal: DispatchSemaphore) async -> Bool {
        await onThread { signal.wait(timeout: .now() + 60) == .success }
    }

    /// A check on a thread of its own, which waits, or has ended, when this returns.
    private func begin(_ scope: ModelScope, _ role: ModelRole = .glare) async -> Task<Answer, Never> {
        let (input, hasEnded) = (input, Flag())
        let check = Task {
            await onThread { () -> Answer in
                defer { hasEnded.raise() }
                do throws(ModelFault) { return .success(try scope.run(role, input, outputs: [0])) } catch {
                    return .failure(error)
                }
            }
        }
        while !clock.isAwaited, !hasEnded.isRaised { await Task.yield() }
        return check
    }

    @Test func `S39 without a runner nothing is said at 4.999 s, and not_ready at 5 s`() async throws {
        let scope = room.open()
        let check = await begin(scope)
        await clock.untilSomethingWaits()
        clock.advance(by: .milliseconds(4999))
        #expect(clock.isAwaited)
        clock.jump(by: .seconds(3600))
        #expect(clock.isAwaited, "a wall clock that is set is no time that passes")
        clock.advance(by: .milliseconds(1))
        #expect(!clock.isAwaited)
        let fault = try #require(await check.value.fault)
        #expect(fault.code == .notReady && fault.message.contains("no model runner was registered within 5000 ms"))
    }

    @Test func `S39 a runner that is registered at 3 s lets the check proceed`() async throws {
        let scope = room.open()
        let check = await begin(scope)
        clock.advance(by: .seconds(3))
        #expect(clock.isAwaited)
        let probe = ProbeRunner()
        runners.runner = probe
        #expect(try await check.value.get().first?.shape == [1, 48])
        clock.advance(by: .seconds(10))
        #expect(try await begin(scope, .passportBlur).value.get().count == 1)
        scope.close()
        #expect(probe.seen.loads == 2 && probe.seen.releases == 2)
    }

    @Test func `S40 a load that throws is the same as no runner, with the error recorded`() async throws {
        runners.runner = ProbeRunner { _ in
            throw LedgerError(code: .init(rawValue: "out_of_fuel"), message: "no fuel", remedy: "refuel")
        }
        let scope = room.open()
        let check = await begin(scope)
        #expect(await arrives(failed))
        clock.advance(by: .milliseconds(4999))
        #expect(clock.isAwaited)
        clock.advance(by: .milliseconds(1))
        let fault = try #require(await check.value.fault)
        #expect(fault.code == .notReady && fault.message.contains("no fuel") && fault.remedy == "refuel")
    }

    @Test func `S40 a load that throws makes way for another runner`() async throws {
        runners.runner = ProbeRunner { _ in throw CancellationError() }
        let scope = room.open()
        let check = await begin(scope)
        #expect(await arrives(failed))
        runners.runner = ProbeRunner()
        #expect(try await check.value.get().count == 1)
    }

    @Test func `S40 of a host's error only its type is passed on`() async throws {
        struct Secret: Error { let text = "4711" }
        runners.runner = ProbeRunner { _ in throw Secret() }
        let scope = room.open()
        let check = await begin(scope)
        #expect(await arrives(failed))
        clock.advance(by: .seconds(5))
        let fault = try #require(await check.value.fault)
        #expect(fault.message.contains("Secret") && !fault.message.contains("4711"))
    }

    @Test func `S40 a load that hangs is the same as no runner, and what it loads at last is used or released`() async throws {
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let probe = ProbeRunner { _ in
            begun.signal()
            mayEnd.wait()
        }
        runners.runner = probe
        let scope = room.open()
        let check = await begin(scope)
        #expect(await arrives(begun))
        clock.advance(by: .milliseconds(4999))
        #expect(clock.isAwaited)
        clock.advance(by: .milliseconds(1))
        let fault = try #require(await check.value.fault)
        #expect(fault.code == .notReady && fault.message.contains("was not loaded within 5000 ms"))
        // the next check waits for the same load
        let next = await begin(scope)
        mayEnd.signal()
        #expect(try await next.value.get().count == 1)
        #expect(probe.seen.loads == 1)
        scope.close()
        #expect(probe.seen.releases == 1)
    }

    @Test func `S38 a load that ends after its scope has closed is released`() async throws {
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let probe = ProbeRunner { _ in
            begun.signal()
            mayEnd.wait()
        }
        runners.runner = probe
        let scope = room.open()
        let check = await begin(scope)
        #expect(await arrives(begun))
        scope.close()
        #expect(await check.value.fault?.code == .notReady)
        mayEnd.signal()
        await onThread { while probe.seen.releases == 0 { usleep(1000) } }
        #expect(probe.seen.loads == 1)
    }

    @Test func `S40 a runner that is registered while a load hangs is used`() async throws {
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let hanging = ProbeRunner { _ in
            begun.signal()
            mayEnd.wait()
        }
        runners.runner = hanging
        let scope = room.open()
        let check = await begin(scope)
        #expect(await arrives(begun))
        let sound = ProbeRunner()
        runners.runner = sound
        #expect(try await check.value.get().count == 1)
        #expect(sound.seen.calls == 1)
        mayEnd.signal()
        await onThread { while hanging.seen.releases == 0 { usleep(1000) } }
        #expect(hanging.seen.loads == 1 && hanging.seen.calls == 0)
    }
}

extension PatienceTests {
    @Test func `where nobody can register another runner, none and a load that throws are not_ready at once`() throws {
        struct Broken: Error {}
        let input = FloatTensor(shape: [1, 4, 4, 3], values: [Float](repeating: 0.5, count: 48))
        for (runner, words) in [(nil, "there is no model runner"), (ProbeRunner { _ in throw Broken() }, "Broken")] {
            let room = ModelRoom(
                runners: RunnerRegistry(runner), search: models.search, clock: clock.store, waitsForRunners: false)
            #expect { _ = try room.open().run(.glare, input, outputs: [0]) } throws: {
                guard let fault = $0 as? ModelFault else { return false }
                return fault.code == .notReady && fault.message.contains(words)
            }
        }
    }
}

extension Result where Failure == ModelFault {
    var fault: ModelFault? {
        if case .failure(let fault) = self { fault } else { nil }
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
}
