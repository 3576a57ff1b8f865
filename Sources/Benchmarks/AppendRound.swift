import CaptureLedger
import Dispatch
import SessionDomain

/// One round: clients that share nothing but the ledger.
struct AppendRound: Sendable {
    /// Events of a session before its client begins the next one, the start included.
    static let eventsPerSession = 8

    var seconds: Double
    var commits: Int
    /// Of every command, in no order.
    var acknowledgementNanoseconds: [UInt64]

    var events: Int { acknowledgementNanoseconds.count }
    var eventsPerSecond: Double { Double(events) / seconds }

    static func run(_ ledger: Ledger, clients: Int, extent: BenchExtent) async throws(LedgerError) -> AppendRound {
        let commitsBefore = try ledger.commitCount()
        let start = DispatchTime.now().uptimeNanoseconds
        let end = extent.seconds.map { start + UInt64($0 * 1e9) } ?? .max
        let quota = extent.events.map { max(1, $0 / clients) } ?? .max
        let results = await withTaskGroup(of: Result<[UInt64], LedgerError>.self) { group in
            for _ in 0..<clients { group.addTask { await client(ledger, end: end, quota: quota) } }
            var results: [Result<[UInt64], LedgerError>] = []
            for await result in group { results.append(result) }
            return results
        }
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        var latencies: [UInt64] = []
        for result in results { latencies += try result.get() }
        let commits = Int(try ledger.commitCount() - commitsBefore)
        return AppendRound(seconds: seconds, commits: commits, acknowledgementNanoseconds: latencies)
    }

    /// Starts a session, suspends and resumes it in turn, starts the next one: every command is one event.
    private static func client(_ ledger: Ledger, end: UInt64, quota: Int) async -> Result<[UInt64], LedgerError> {
        var configuration = CaptureConfiguration(
            pieces: [.passportFront, .selfie], flowTitle: "Benchmark", analyticsContext: "bench")
        configuration.checks = .off
        let start = StartRequest(configuration: configuration)
        let steps: [(SessionCommand, [UInt8])] = [
            (.suspend, Ledger.body("suspend", [])), (.resume, Ledger.body("resume", [])),
        ]
        var session: SessionID?
        var latencies: [UInt64] = []
        var before = DispatchTime.now().uptimeNanoseconds
        do throws(LedgerError) {
            while before < end, latencies.count < quota {
                let step = latencies.count % eventsPerSession
                if step > 0, let session {
                    let (command, body) = steps[(step - 1) % steps.count]
                    let id = Ledger.freshCommandID(ledger.clock.nowMilliseconds())
                    _ = try await ledger.submit(
                        CommandRequest(session: session, command: command, commandID: id, body: body))
                } else {
                    session = try await ledger.submit(start).session
                }
                let now = DispatchTime.now().uptimeNanoseconds
                latencies.append(now - before)
                before = now
            }
        } catch {
            return .failure(error)
        }
        return .success(latencies)
    }
}
