import CaptureLedger
import DeliveryMachine
import Outbox
import SessionDomain

/// Something about delivery that only a person can change.
struct Attention: Hashable, Sendable {
    /// Stable: the reason of a pause, why the last attempt failed, `never_tried` or `no_destination`.
    let code: String
    let destination: String
    /// Wall-clock time at which it began.
    let sinceMilliseconds: Int64
    let message: String
    let remedy: String
    let exit: ExitCode
}

extension Attention {
    /// Somebody waits to be erased, and the law gives a time.
    static func erasureStuck(since time: Int64) -> Attention {
        Attention(
            code: "erasure_stuck", destination: "erasure", sinceMilliseconds: time,
            message: "is due and cannot be done: the tombstone file cannot be written",
            remedy: "Bring the file back that `tombstones` in the settings names, and make it writable; doctor says more.",
            exit: .inputOutput)
    }
}

extension Attention {
    /// A person paused what a session confirmed, and may have forgotten it.
    static func paused(_ session: SessionID, since time: Int64) -> Attention {
        let name = "session \(session.text)"
        return Attention(
            code: OutboxWriter.pausedByOperator.rawValue, destination: name, sinceMilliseconds: time,
            message: "is paused: a person paused its deliveries",
            remedy: "Run capture-ledger sync resume --session \(session.text) when they may be sent.", exit: .workLeft)
    }
}

/// When a run that nobody watches may speak.
struct PageRule: Sendable {
    /// How long deliveries may wait without any of their destination getting through.
    let pageAfterMilliseconds: Int64

    /// What a person must do about `standing`, by destination; nothing while things merely wait.
    ///
    /// - Parameters:
    ///   - isWorking: another run is at it, which only long standstill makes suspect.
    ///   - everyDestinationIsPaused: what the exit code says then.
    func attention(
        _ standing: DeliveryStanding, isWorking: Bool = false, everyDestinationIsPaused: Bool = false
    ) -> [Attention] {
        standing.entries.compactMap { entry in
            guard let waiting = entry.waiting else { return nil }
            let exit: ExitCode = everyDestinationIsPaused ? .allPaused : .workLeft
            if let pause = entry.state.pause, pause.probeAtMilliseconds == nil, !isWorking {
                return Attention(
                    code: pause.reason.rawValue, destination: entry.destination, sinceMilliseconds: pause.sinceMilliseconds,
                    message: "is paused: \(Cause.sentence(pause.reason.rawValue))",
                    remedy: Cause.remedy(pause.reason.rawValue, destination: entry.destination), exit: exit)
            }
            let since = max(waiting.oldestConfirmedAtMilliseconds, entry.state.lastDeliveredAtMilliseconds ?? .min)
            guard standing.takenAtMilliseconds - since >= pageAfterMilliseconds else { return nil }
            let code =
                !entry.isConfigured
                ? Cause.noDestination
                : isWorking
                    ? Cause.otherRun : entry.state.pause?.reason.rawValue ?? waiting.oldestExplanation ?? Cause.neverTried
            return Attention(
                code: code, destination: entry.destination, sinceMilliseconds: since,
                message: "got nothing through: \(Cause.sentence(code))",
                remedy: Cause.remedy(code, destination: entry.destination), exit: exit)
        }
    }
}
