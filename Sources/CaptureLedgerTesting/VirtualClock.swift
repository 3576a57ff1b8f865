package import CaptureLedger
public import FoundationEssentials
import SessionDomain
import Synchronization

/// A clock that a test turns by hand: the store's times, deadlines and retries of a ``TestLedger`` follow it.
public final class VirtualClock: Sendable {
    private struct Hands {
        var wall: Int64
        var sinceStart: Int64 = 0
    }

    private let hands: Mutex<Hands>
    private let start = UUID128(high: 0x7E57_0000_0000_7000, low: 0x8000_0000_0000_0001)

    /// - Parameter start: the first moment of 2026 unless the test cares.
    public init(startingAt start: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        hands = Mutex(Hands(wall: Int64(start.timeIntervalSince1970 * 1000)))
    }

    public var now: Date { Date(timeIntervalSince1970: Double(nowMilliseconds) / 1000) }

    /// Lets time pass.
    public func advance(by duration: Duration) {
        let passed = max(0, Int64(duration / .milliseconds(1)))
        hands.withLock { hands in
            hands.wall += passed
            hands.sinceStart += passed
        }
    }

    /// Sets the wall clock forward or back while no time passes, as a wrong setting or its correction does: the store notices, records
    /// it, and nothing expires because of it.
    public func jump(by duration: Duration) { hands.withLock { $0.wall += Int64(duration / .milliseconds(1)) } }

    var nowMilliseconds: Int64 { hands.withLock { $0.wall } }

    package var store: LedgerClock {
        LedgerClock(
            nowMilliseconds: { self.nowMilliseconds },
            boot: { .init(id: self.start, elapsedMilliseconds: self.hands.withLock { $0.sinceStart }) })
    }
}
