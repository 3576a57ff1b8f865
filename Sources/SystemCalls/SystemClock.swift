import Glibc

/// The clocks of clock_gettime(2).
package enum SystemClock {
    /// Milliseconds since 1970, as the system believes; it can jump.
    package static func realtimeMilliseconds() -> Int64 { nanoseconds(CLOCK_REALTIME) / 1_000_000 }
    /// Nanoseconds that never go back; they stand still while the machine sleeps.
    package static func monotonicNanoseconds() -> Int64 { nanoseconds(CLOCK_MONOTONIC) }
    /// Nanoseconds since the machine started, sleep included.
    package static func boottimeNanoseconds() -> Int64 { nanoseconds(CLOCK_BOOTTIME) }

    /// Nanoseconds that the threads of this process have run.
    package static func processorNanoseconds() -> Int64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

    /// Which start of the machine this is; nil where the kernel does not say. See random(4), `boot_id`.
    package static func bootIdentifier() -> String? {
        guard let file = try? FileDescriptor(opening: "/proc/sys/kernel/random/boot_id", .read),
            let text = try? file.readToEnd(limit: 64)
        else { return nil }
        return String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe _ = clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
