import Glibc

/// What a program used until it ended; see getrusage(2). The most memory it held is not among it: what is reported there also counts
/// the program that started it.
package struct ResourceUse: Sendable, Hashable {
    package let userSeconds: Double
    package let systemSeconds: Double

    package var processorSeconds: Double { userSeconds + systemSeconds }

    init(_ usage: rusage) {
        userSeconds = Self.seconds(usage.ru_utime)
        systemSeconds = Self.seconds(usage.ru_stime)
    }

    /// What this process has used so far; see getrusage(2).
    package static func ofThisProcess() -> ResourceUse {
        var usage = rusage()
        _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return ResourceUse(usage)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
