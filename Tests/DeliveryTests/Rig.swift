import CurlTransport
import DeliveryMachine
import Glibc
import Sandbox
import SessionDomain
import Sync
import TestSupport

/// A worker over the real transport and a sandbox of its own.
final class Rig {
    let sandbox: Sandbox
    let queue = MemoryQueue()
    let media = MemoryMedia()
    let evidence = MemoryEvidence()
    var verifier: Destination
    var hologram: Destination
    /// Added to the wall clock, so that back-off needs no waiting.
    var ahead: Int64 = 0
    var stop = StopRequest.none
    var onEvent: (SyncEvent) -> Void = { _ in }

    init(_ rules: [SandboxScenario.Rule] = []) throws {
        sandbox = try Sandbox(scenario: SandboxScenario(rules: rules))
        verifier = Destination(name: Claims.verifier, kind: .verifier, url: sandbox.verifierURL)
        hologram = Destination(name: Claims.hologram, kind: .hologram, url: sandbox.hologramURL)
    }

    deinit { sandbox.stop() }

    static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    @discardableResult
    func add(
        _ number: Int, session: Int = 1, piece: Piece = .selfie, isStrict: Bool = false, _ bytes: [UInt8]? = nil
    ) -> DeliveryID {
        let bytes = bytes ?? Array("picture \(number)".utf8)
        var hash = SHA256()
        hash.update(bytes)
        let digest = hash.finish()
        let claim =
            piece == .hologram
            ? Claims.hologram(number, bytes: Int64(bytes.count), sha256: digest)
            : Claims.verifier(number, session: session, piece: piece, bytes: Int64(bytes.count), sha256: digest)
        media.originals[claim.capture] = .bytes(bytes)
        queue.add(claim, isStrict: isStrict)
        return claim.id
    }

    func transport() throws -> CurlMultiTransport { try CurlMultiTransport { Self.milliseconds(CLOCK_REALTIME) } }

    func run(_ options: SyncOptions = .init(), over transport: (any Transport)? = nil) throws -> SyncReport {
        let ahead = ahead
        return try SyncRun(
            queue: queue, transport: transport ?? self.transport(), media: media, evidence: evidence,
            destinations: [verifier, hologram], options: options,
            clock: SyncClock(
                nowMilliseconds: { Self.milliseconds(CLOCK_REALTIME) + ahead },
                steadyMilliseconds: { Self.milliseconds(CLOCK_BOOTTIME) }), random: SeededGenerator(seed: 1),
            stop: { [self] in stop }, observe: { [self] in onEvent($0) }
        ).run()
    }

    /// Runs until nothing is left, each time a day later.
    func runUntilDone(atMost rounds: Int = 40) throws -> SyncReport {
        var report = try run()
        for _ in 0..<rounds where report.left > 0 {
            ahead += 3_700_000
            report = try run()
        }
        return report
    }
}
