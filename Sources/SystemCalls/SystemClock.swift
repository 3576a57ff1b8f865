import Glibc

/// The clocks of clock_gettime(2).
package enum SystemClock {
    /// Milliseconds since 1970, as the system believes; it can jump.
    package static func realtimeMilliseconds() -> Int64 { nanoseconds(CLOCK_REALTIME) / 1_000_000 }
    /// Nanoseconds that never go back; they stand still while the machine sleeps.
    package static func monotonicNanoseconds() -> Int64 { nanoseconds(CLOCK_MONOTONIC) }
    /// Nanoseconds since the machine started, sleep included.
    package static func boottimeNanoseconds() -> Int64 { nanoseconds(CLOCK_BOOTTIME) }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe _ = clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
