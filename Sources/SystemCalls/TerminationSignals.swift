import Glibc
import Synchronization

/// How often this process was asked to end; see signal(7). Once watched, SIGTERM and SIGINT only count.
package enum TerminationSignals {
    private static let received = Atomic<Int>(0)

    package static var count: Int { received.load(ordering: .relaxed) }

    package static func watch() {
        _ = count  // made before a handler may want it
        for number in [SIGTERM, SIGINT] {
            _ = signal(number) { _ in TerminationSignals.received.wrappingAdd(1, ordering: .relaxed) }
        }
    }
}
