import Dispatch
import Synchronization

/// Something that will be called once when its time has come, unless it was cancelled before.
package final class ClockAlarm: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    package init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

    /// Does it, the first time.
    package func ring() { take()?() }

    package func cancel() { _ = take() }

    /// It rang, or was cancelled.
    package var isOver: Bool { action.withLock { $0 == nil } }

    private func take() -> (@Sendable () -> Void)? {
        action.withLock { action in
            defer { action = nil }
            return action
        }
    }
}

extension LedgerClock {
    /// Calls back on a thread of the system's.
    package static func systemAlarm(after milliseconds: Int64, _ action: @escaping @Sendable () -> Void) -> ClockAlarm {
        let alarm = ClockAlarm(action)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(clamping: max(0, milliseconds)))) {
            alarm.ring()
        }
        return alarm
    }
}
