package import CaptureLedger
import CurlTransport
import DeliveryMachine
package import Sync

/// How a run of the worker ended.
package enum SyncResult: Sendable {
    case finished(SyncReport)
    /// Another run holds the worker's lock on this ledger: nothing was done.
    case anotherRunWorks
}

extension Ledger {
    /// Delivers what is due, from a thread that may block: the worker's lock, the stored queue, libcurl.
    ///
    /// - Parameters:
    ///   - stop: asked several times a second, from this thread.
    ///   - observe: told on this thread what goes on.
    ///   - handedOver: told on the transport's threads how many more bytes of originals went into requests.
    /// - Throws: what the settings refuse, and what kept the queue or libcurl from working. Nothing stays claimed: the next run
    ///   takes over at once.
    package func synchronizeAndWait(
        _ options: SyncOptions = SyncOptions(), stop: @escaping () -> StopRequest = { .none },
        observe: @escaping (SyncEvent) -> Void = { _ in }, handedOver: ((Int) -> Void)? = nil
    ) throws(LedgerError) -> SyncResult {
        guard let lock = try takeSyncLock() else { return .anotherRunWorks }
        defer { _ = lock }
        let steady = ContinuousClock()
        let start = steady.now
        let milliseconds: @Sendable () -> Int64 = { Int64(start.duration(to: steady.now) / .milliseconds(1)) }
        var destinations = destinations()
        // a command that hangs, or a token endpoint, holds no run up beyond its end
        let authority = SettingsAuthority(self, destinations: destinations) {
            stop() != .none || options.deadlineMilliseconds.map { milliseconds() >= $0 } ?? false
        }
        for index in destinations.indices {
            destinations[index].credentialFingerprint = authority.fingerprint(of: destinations[index])
        }
        // A worker comes by regularly, so it also ends what has passed its deadline.
        _ = try expireDueSessions()
        try executeDueErasures()
        try purgeSome()
        let queue = LedgerDeliveryQueue(self)
        // the run's own clock: it does not jump
        let clock = queue.clock
        var rest = options
        rest.deadlineMilliseconds = options.deadlineMilliseconds.map { max(0, $0 - milliseconds()) }
        do {
            let transport = try CurlTransportThreads(now: clock.nowMilliseconds)
            let run = SyncRun(
                queue: queue, transport: transport, media: handedOver.map { CountedMedia(queue, $0) } ?? queue,
                evidence: EvidenceArchive(self),
                destinations: destinations, authority: authority, options: rest,
                clock: SyncClock(
                    nowMilliseconds: clock.nowMilliseconds,
                    steadyMilliseconds: milliseconds),
                random: SystemRandomNumberGenerator(), aside: AsideThread(wake: transport.wake), stop: stop, observe: observe)
            return .finished(try run.run())
        } catch {
            throw LedgerError(
                code: .init(rawValue: error.code.rawValue), message: error.message, remedy: error.remedy, isRetryable: true)
        }
    }
}
