import CSystem
import Glibc

extension SystemClock {
    /// The number of this process.
    package static func processNumber() -> Int32 { getpid() }

    /// When this process was started, on the clock of `boottimeNanoseconds`, to a hundredth of a second; now where the kernel
    /// does not say. See proc_pid_stat(5), field 22.
    package static func processStartNanoseconds() -> Int64 {
        let now = boottimeNanoseconds()
        guard let file = try? FileDescriptor(opening: "/proc/self/stat", .read), let bytes = try? file.readToEnd(limit: 4096),
            let name = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return now }
        let fields = bytes[(name + 1)...].split(separator: UInt8(ascii: " "))
        // the first one behind the name is field 3
        let ticksPerSecond = Int64(cl_clock_ticks())
        guard fields.count > 19, let ticks = Int64(String(decoding: fields[19], as: UTF8.self)), ticksPerSecond > 0 else {
            return now
        }
        let started = ticks * (1_000_000_000 / ticksPerSecond)
        return started <= now ? started : now
    }
}
