import CSystem
import Glibc
import Synchronization

/// How often this process was asked to end or to read its settings again; see signal(7). Once watched, these signals only count,
/// and wake who waits here.
package enum TerminationSignals {
    /// What SIGHUP means to this process.
    package enum Hangup: Sendable {
        /// The terminal is gone: a request to end. A process that was started with the signal ignored (nohup) keeps ignoring it.
        case ends
        /// The settings changed: read them again.
        case reloads
        /// As the process was started.
        case untouched
    }

    private static let received = Atomic<Int>(0)
    private static let reloads = Atomic<Int>(0)
    /// The two ends of a pipe that a handler writes to; open until the process ends.
    private static let waker = Atomic<Int32>(-1)
    private static let writer = Atomic<Int32>(-1)
    /// A pipe that nobody drains takes so many bytes without blocking its writer.
    private static let wakingBytes = 1000

    package static var count: Int { received.load(ordering: .relaxed) }
    /// How often SIGHUP asked for the settings to be read again.
    package static var reloadCount: Int { reloads.load(ordering: .relaxed) }

    /// - Parameter hangup: what SIGHUP means.
    package static func watch(hangup: Hangup = .untouched) {
        _ = (count, reloadCount, writer.load(ordering: .relaxed))  // made before a handler may want them
        _ = hasWaker
        for number in [SIGTERM, SIGINT] { _ = signal(number) { _ in TerminationSignals.end() } }
        switch hangup {
        case .untouched: break
        case .ends: if cl_signal_is_ignored(SIGHUP) == 0 { _ = signal(SIGHUP) { _ in TerminationSignals.end() } }
        case .reloads: _ = signal(SIGHUP) { _ in TerminationSignals.reload() }
        }
        // a pipe that nobody reads any more is an error to be told, not a death
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Returns at a watched signal that has not ended a wait before, when `descriptor` can be read, or after that time. Before
    /// `watch` there is nothing but the time. See poll(2).
    package static func wait(milliseconds: Int64, descriptor: Int32 = -1) {
        var entries = [
            pollfd(fd: waker.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let found = unsafe poll(&entries, 2, Int32(clamping: max(0, milliseconds)))
        guard found > 0, entries[0].revents != 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 64)
        unsafe _ = read(entries[0].fd, &bytes, bytes.count)
    }

    private static func end() { wake(received.wrappingAdd(1, ordering: .relaxed).newValue) }
    private static func reload() { wake(reloads.wrappingAdd(1, ordering: .relaxed).newValue) }

    private static func wake(_ count: Int) {
        let number = writer.load(ordering: .relaxed)
        guard number >= 0, count < wakingBytes else { return }
        let before = Glibc.errno
        var byte: UInt8 = 0
        unsafe _ = write(number, &byte, 1)
        Glibc.errno = before
    }

    private static let hasWaker: Bool = {
        var ends: (Int32, Int32) = (-1, -1)
        let code = unsafe withUnsafeMutablePointer(to: &ends) {
            unsafe $0.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe cl_pipe($0) }
        }
        guard code == 0 else { return false }
        waker.store(ends.0, ordering: .relaxed)
        writer.store(ends.1, ordering: .relaxed)
        return true
    }()
}
