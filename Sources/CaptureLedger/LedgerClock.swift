package import SessionDomain
import SystemCalls

/// The store's clock, injected so that tests can turn it.
package struct LedgerClock: Sendable {
    /// Time since the machine started, sleep included, and which start that was.
    package struct Boot: Sendable, Equatable {
        package var id: UUID128
        package var elapsedMilliseconds: Int64

        package init(id: UUID128, elapsedMilliseconds: Int64) {
            self.id = id
            self.elapsedMilliseconds = elapsedMilliseconds
        }
    }

    /// The wall clock, which can jump.
    package let nowMilliseconds: @Sendable () -> Int64
    /// nil where jumps of the wall clock cannot be told from time that passes.
    package let boot: @Sendable () -> Boot?
    /// Calls back when so many milliseconds have passed; what jumps of the wall clock do not change.
    package let alarm: @Sendable (Int64, @escaping @Sendable () -> Void) -> ClockAlarm

    package init(
        nowMilliseconds: @escaping @Sendable () -> Int64, boot: @escaping @Sendable () -> Boot? = { nil },
        alarm: @escaping @Sendable (Int64, @escaping @Sendable () -> Void) -> ClockAlarm = { systemAlarm(after: $0, $1) }
    ) {
        self.nowMilliseconds = nowMilliseconds
        self.boot = boot
        self.alarm = alarm
    }

    package static let system = LedgerClock(
        nowMilliseconds: { SystemClock.realtimeMilliseconds() },
        boot: {
            bootID.map { Boot(id: $0, elapsedMilliseconds: SystemClock.boottimeNanoseconds() / 1_000_000) }
        })

    private static let bootID = SystemClock.bootIdentifier().flatMap { UUID128($0) }

    /// Reads the wall clock once and goes on from there without a jump, for as long as one run lasts.
    package func unbroken() -> LedgerClock {
        guard let start = boot() else { return self }
        let (boot, beginning) = (boot, nowMilliseconds())
        return LedgerClock(
            nowMilliseconds: { beginning + (boot() ?? start).elapsedMilliseconds - start.elapsedMilliseconds }, boot: boot,
            alarm: alarm)
    }
}
