import SessionDomain
import StructuredLog
import Synchronization

/// What a process that embeds a ledger keeps going for it: its flows with their callbacks, the analytics reporter, the host's
/// verifiers. A command that only opens the ledger never starts any of it.
final class Hosting: Sendable {
    /// For calls that read, seal or write.
    let work = WorkLanes("capture-ledger.work", width: 8)
    /// For the host's own code, which may take as long as it likes.
    let callbacks = WorkLanes("capture-ledger.callback", width: 16)
    let feed = EventFeed()
    private let verifiers = VerifierDesk()
    private let exports = AnalyticsExport()
    private let options = Mutex(LedgerOptions())
    private let flows = Mutex<[SessionID: CaptureFlow]>([:])
    /// Calls that were made and could not be recorded: within this process they are not made again.
    private let unrecorded = Mutex<[SessionID: Milestones]>([:])

    /// A host opened the ledger to keep it open.
    func begin(_ ledger: Ledger, _ options: LedgerOptions) throws(LedgerError) {
        self.options.withLock { $0 = options }
        try exports.begin(ledger)
        try feed.start(ledger)
    }

    var verification: VerificationOptions { options.withLock { $0.verification } }

    /// For what no call can report.
    var logger: Logger {
        let options = options.withLock { $0 }
        return Logger(
            minimum: .warning, sink: LineSink(form: .json, writeLine: options.log), now: options.clock.nowMilliseconds)
    }

    /// The one flow of a session that this process watches, made when there is none.
    func adopt(_ session: SessionID, of ledger: Ledger) -> CaptureFlow {
        flows.withLock { flows in
            if let known = flows[session] { return known }
            let flow = CaptureFlow(session, of: ledger)
            flows[session] = flow
            return flow
        }
    }

    /// The watched flow of the same session: `flow` itself unless another one is watched.
    func adopt(_ flow: CaptureFlow) -> CaptureFlow {
        flows.withLock { flows in
            if let known = flows[flow.session] { return known }
            flows[flow.session] = flow
            return flow
        }
    }

    func flow(_ session: SessionID) -> CaptureFlow? { flows.withLock { $0[session] } }

    var watched: [CaptureFlow] { flows.withLock { Array($0.values) } }

    func forget(_ flow: CaptureFlow) {
        flows.withLock { flows in
            if flows[flow.session] === flow { flows[flow.session] = nil }
        }
    }

    /// Told by the feed, on its thread: nothing here may take long.
    func appended(_ sessions: Set<SessionID>) {
        let concerned = flows.withLock { flows in sessions.compactMap { flows[$0] } }
        for flow in concerned { flow.notice() }
    }

    /// Told by the feed after every look, whether there was something or not.
    func turned(_ ledger: Ledger) {
        exports.notice(ledger)
        verifiers.turned(ledger)
    }

    /// Sessions with a verifier in this process for which something waits.
    var sessionsToVerify: [SessionID] {
        watched.filter { flow in flow.watching.withLock { $0.verifier != nil && $0.hostDueAt != nil } }.map(\.session)
            .sorted { $0.uuid < $1.uuid }
    }

    /// A session has something for its verifier, at once or at this time.
    func verify(_ ledger: Ledger, at milliseconds: Int64) {
        if milliseconds <= ledger.clock.nowMilliseconds() { verifiers.notice(ledger) } else { verifiers.wake(at: milliseconds) }
    }

    func told(_ session: SessionID) -> Milestones? { unrecorded.withLock { $0[session] } }

    func remember(_ told: Milestones?, of session: SessionID) { unrecorded.withLock { $0[session] = told } }

    /// Nobody is told anything any more. What was not told yet is told when the ledger is opened next.
    func stop() {
        verifiers.stop()
        exports.stop()
        feed.stop()
        let watched = flows.withLock { flows in
            defer { flows.removeAll() }
            return Array(flows.values)
        }
        for flow in watched { flow.close() }
    }
}
