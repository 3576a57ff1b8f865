import StructuredLog
import Sync
import Synchronization
import SystemCalls

/// One line at the foot of a terminal that says how far a run is; gone when it ends.
final class ProgressBar: Sendable {
    private static let redrawNanoseconds: Int64 = 100_000_000

    private struct State {
        var progress: Progress
        var drawnAt: Int64?
        var isShown = false
    }

    private let state: Mutex<State>
    private let console: Console
    private let style: Progress.Style

    /// nil where nobody would see it, or where the terminal cannot draw over a line.
    init?(_ console: Console, _ environment: [String: String], isWanted: Bool) {
        guard isWanted, console.isWatched, let terminal = environment["TERM"], !terminal.isEmpty, terminal != "dumb" else {
            return nil
        }
        self.console = console
        style = Progress.Style(environment)
        state = Mutex(State(progress: Progress(startedNanoseconds: SystemClock.boottimeNanoseconds())))
    }

    func expect(_ deliveries: Int) { state.withLock { $0.progress.expected = deliveries } }

    func handedOver(_ bytes: Int) { state.withLock { $0.progress.bytes += Int64(bytes) } }

    func see(_ event: SyncEvent) {
        state.withLock { state in
            switch event {
            case .began(let claim, .send): state.progress.begin(claim.id, bytes: claim.media.bytes)
            case .settled(let claim, let settlement):
                if case .waiting = settlement.state { state.progress.putOff(claim.id) } else { state.progress.end(claim.id) }
            case .began, .lostClaim, .changed: break
            }
        }
    }

    /// At most ten times a second.
    func draw() {
        let now = SystemClock.boottimeNanoseconds()
        let line: String? = state.withLock { state in
            if let last = state.drawnAt, now - last < Self.redrawNanoseconds { return nil }
            state.drawnAt = now
            state.isShown = true
            return state.progress.line(
                columns: Terminal.columnsOfStandardError() ?? 80, nowNanoseconds: now, style: style)
        }
        if let line { console.draw("\r\u{1B}[K" + line) }
    }

    func clear() {
        let wasShown = state.withLock { state in
            defer { state.isShown = false }
            return state.isShown
        }
        if wasShown { console.draw("\r\u{1B}[K") }
    }

    /// Lines of a log that do not end up in the middle of the bar.
    func clearing(_ sink: any Sink) -> any Sink { ClearingSink(bar: self, sink: sink) }

    private struct ClearingSink: Sink {
        let bar: ProgressBar
        let sink: any Sink

        func write(_ entry: Entry) {
            bar.clear()
            sink.write(entry)
        }
    }
}
