import CaptureLedger
import Glibc
import LocalHTTP
import SystemCalls

/// One process from its start to its end, and what it brought to the endpoint.
struct MeasuredRun {
    let seconds: Double
    let used: ResourceUse
    let peakResidentKibibytes: Int
    let connections: Int

    /// - Throws: `bench_failed` when it did not end with 0 or another number of requests arrived.
    static func of(
        _ path: String, _ arguments: [String], _ server: DiscardingServer, requests: Int
    ) throws(LedgerError) -> MeasuredRun {
        _ = server.takeCounts()
        let began = SystemClock.monotonicNanoseconds()
        let (end, output, used, peak) = try called { () throws(SystemError) in
            var child = try ChildProcess(path: path, arguments: [path] + arguments)
            var peak = 0
            while !(try child.output.waitUntilReadable(deadline: SystemClock.monotonicNanoseconds() + 5_000_000)) {
                peak = max(peak, Self.peakResidentKibibytes(of: child.processID))
            }
            let output = try child.output.readToEnd(limit: 1 << 20)
            return (try child.wait(limitMilliseconds: 600_000), output, child.used, peak)
        }
        let seconds = Double(SystemClock.monotonicNanoseconds() - began) / 1e9
        let counts = server.takeCounts()
        guard end == .exited(0), counts.requests == requests, let used else {
            throw LedgerError(
                code: .init(rawValue: "bench_failed"),
                message:
                    "\(path) delivered \(counts.requests) of \(requests) and ended with \(end.map { "\($0)" } ?? "no end"): "
                    + String(decoding: output.prefix(500), as: UTF8.self),
                remedy: "Install curl, and leave twice the bytes of all rounds free on the disk.")
        }
        return MeasuredRun(seconds: seconds, used: used, peakResidentKibibytes: peak, connections: counts.connections)
    }

    /// `VmHWM` of proc(5), which only grows: asked every few milliseconds, the last answer is the peak.
    private static func peakResidentKibibytes(of process: Int32) -> Int {
        guard let status = try? FileDescriptor(opening: "/proc/\(process)/status", .read).readToEnd(limit: 16_384) else {
            return 0
        }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}

/// What both sides deliver to.
func endpoint() throws(LedgerError) -> DiscardingServer {
    do { return try DiscardingServer() } catch {
        throw LedgerError(code: .init(rawValue: error.code.rawValue), message: error.message, remedy: error.remedy)
    }
}

/// What was written is on the disks, so that writing it does not disturb what is measured; see sync(2).
func synchronizeDisks() { sync() }

/// One step of the system below, in the façade's words.
func called<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(LedgerError) -> Value {
    do { return try body() } catch {
        throw LedgerError(
            code: .init(rawValue: error.code.rawValue), message: error.message + ".", remedy: error.remedy)
    }
}
