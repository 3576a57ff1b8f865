import SystemCalls

/// Tells the service manager how a daemon is; see sd_notify(3). Without `NOTIFY_SOCKET` it says nothing.
final class ServiceNotifier {
    private let socket: String?
    /// nil: the manager does not watch.
    private let beatNanoseconds: Int64?
    private var lastBeat = Int64.min
    private var lastStatus = ""

    init(_ environment: [String: String]) {
        socket = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        let isMeant = environment["WATCHDOG_PID"].map { $0 == String(SystemClock.processNumber()) } ?? true
        if isMeant, let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text), microseconds > 0 {
            // half of what the manager waits, so that one late beat does no harm
            beatNanoseconds = min(microseconds, .max / 1_000) * 1_000 / 2
        } else {
            beatNanoseconds = nil
        }
    }

    func ready() { send("READY=1") }
    func stopping() { send("STOPPING=1") }
    func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonicNanoseconds() / 1_000)") }

    /// One line that `systemctl status` shows; sent when it is another than before.
    func status(_ text: String) {
        guard text != lastStatus else { return }
        lastStatus = text
        send("STATUS=\(text.replacing("\n", with: " "))")
    }

    /// I am alive. May be called as often as one likes.
    func beat() {
        guard let beatNanoseconds else { return }
        let now = SystemClock.monotonicNanoseconds()
        guard now - max(lastBeat, 0) >= beatNanoseconds || lastBeat == .min else { return }
        lastBeat = now
        send("WATCHDOG=1")
    }

    /// How long a wait may be at most so that the next beat is not late.
    var longestWaitMilliseconds: Int64 { beatNanoseconds.map { max(1, $0 / 1_000_000 / 2) } ?? .max }

    private func send(_ message: String) {
        guard let socket else { return }
        // a manager that is not there any more is no reason to stop delivering
        try? DatagramSocket(to: socket).send(message)
    }
}
