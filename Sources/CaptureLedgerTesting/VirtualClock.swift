package import CaptureLedger
public import FoundationEssentials
import SessionDomain
import Synchronization

/// A clock that a test turns by hand: the store's times, deadlines and retries of a ``TestLedger`` follow it.
public final class VirtualClock: Sendable {
    private struct Hands {
        var wall: Int64
        var sinceStart: Int64 = 0
        var alarms: [(due: Int64, alarm: ClockAlarm)] = []
        var onlookers: [CheckedContinuation<Void, Never>] = []
    }

    private let hands: Mutex<Hands>
    private let start = UUID128(high: 0x7E57_0000_0000_7000, low: 0x8000_0000_0000_0001)

    /// - Parameter start: the first moment of 2026 unless the test cares.
    public init(startingAt start: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        hands = Mutex(Hands(wall: Int64(start.timeIntervalSince1970 * 1000)))
    }

    public var now: Date { Date(timeIntervalSince1970: Double(nowMilliseconds) / 1000) }

    /// Lets time pass. Whatever waited for a moment that has come goes on.
    public func advance(by duration: Duration) {
        let passed = max(0, Int64(duration / .milliseconds(1)))
        let due = hands.withLock { hands in
            hands.wall += passed
            hands.sinceStart += passed
            let due = hands.alarms.filter { $0.due <= hands.sinceStart }
            hands.alarms.removeAll { $0.due <= hands.sinceStart }
            return due.sorted { $0.due < $1.due }
        }
        for (_, alarm) in due { alarm.ring() }
    }

    /// Returns as soon as the store waits for a moment of this clock, such as the five seconds that a check waits for a model runner: what
    /// a test does before it lets the time pass.
    public func untilSomethingWaits() async {
        await withCheckedContinuation { onlooker in
            let waitsAlready = hands.withLock { hands in
                hands.alarms.removeAll { $0.alarm.isOver }
                if hands.alarms.isEmpty { hands.onlookers.append(onlooker) }
                return !hands.alarms.isEmpty
            }
            if waitsAlready { onlooker.resume() }
        }
    }

    /// Whether the store waits for a moment of this clock that has not come.
    public var isAwaited: Bool { hands.withLock { $0.alarms.contains { !$0.alarm.isOver } } }

    private func alarm(after milliseconds: Int64, _ action: @escaping @Sendable () -> Void) -> ClockAlarm {
        let alarm = ClockAlarm(action)
        let onlookers = hands.withLock { hands in
            hands.alarms.removeAll { $0.alarm.isOver }
            hands.alarms.append((hands.sinceStart + max(0, milliseconds), alarm))
            defer { hands.onlookers = [] }
            return hands.onlookers
        }
        for onlooker in onlookers { onlooker.resume() }
        return alarm
    }

    /// Sets the wall clock forward or back while no time passes, as a wrong setting or its correction does: the store notices, records
    /// it, and nothing expires because of it.
    public func jump(by duration: Duration) { hands.withLock { $0.wall += Int64(duration / .milliseconds(1)) } }

    var nowMilliseconds: Int64 { hands.withLock { $0.wall } }

    package var store: LedgerClock {
        LedgerClock(
            nowMilliseconds: { self.nowMilliseconds },
            boot: { .init(id: self.start, elapsedMilliseconds: self.hands.withLock { $0.sinceStart }) },
            alarm: { self.alarm(after: $0, $1) })
    }
}
