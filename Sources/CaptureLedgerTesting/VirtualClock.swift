import CaptureLedger
public import FoundationEssentials
import Synchronization

/// A clock that a test turns by hand: the store's times, deadlines and retries of a ``TestLedger`` follow it.
public final class VirtualClock: Sendable {
    private let milliseconds: Mutex<Int64>

    /// - Parameter start: the first moment of 2026 unless the test cares.
    public init(startingAt start: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        milliseconds = Mutex(Int64(start.timeIntervalSince1970 * 1000))
    }

    public var now: Date { Date(timeIntervalSince1970: Double(nowMilliseconds) / 1000) }

    /// Lets time pass. It never runs backwards.
    public func advance(by duration: Duration) {
        let passed = max(0, Int64(duration / .milliseconds(1)))
        milliseconds.withLock { $0 += passed }
    }

    package var nowMilliseconds: Int64 { milliseconds.withLock { $0 } }
}
