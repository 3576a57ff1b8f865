import CaptureLedger
import Dispatch
import SessionDomain

/// One round: clients that share nothing but the ledger, each with a session of its own.
struct AppendRound: Sendable {
    var seconds: Double
    var commits: Int
    /// Of every command, in no order.
    var acknowledgementNanoseconds: [UInt64]

    var events: Int { acknowledgementNanoseconds.count }
    var eventsPerSecond: Double { Double(events) / seconds }

    static func run(
        _ ledger: Ledger, sessions: [SessionID], extent: BenchExtent
    ) async throws(LedgerError) -> AppendRound {
        let commitsBefore = try ledger.commitCount()
        let start = DispatchTime.now().uptimeNanoseconds
        let end = extent.seconds.map { start + UInt64($0 * 1e9) } ?? .max
        let quota = extent.events.map { (events: Int) in max(1, events / sessions.count) } ?? .max
        let results = await withTaskGroup(of: Result<[UInt64], LedgerError>.self) { group in
            for session in sessions {
                group.addTask { await client(ledger, session, end: end, quota: quota) }
            }
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

    /// Suspends and resumes in turn: each command is one event.
    private static func client(
        _ ledger: Ledger, _ session: SessionID, end: UInt64, quota: Int
    ) async -> Result<[UInt64], LedgerError> {
        var latencies: [UInt64] = []
        let suspend = Ledger.body("suspend", [])
        let resume = Ledger.body("resume", [])
        var before = DispatchTime.now().uptimeNanoseconds
        do throws(LedgerError) {
            // Pairs, so that the session is left as it was found.
            while before < end, latencies.count < quota {
                for (command, body) in [(SessionCommand.suspend, suspend), (.resume, resume)] {
                    let id = Ledger.freshCommandID(ledger.clock.nowMilliseconds())
                    _ = try await ledger.submit(
                        CommandRequest(session: session, command: command, commandID: id, body: body))
                    let now = DispatchTime.now().uptimeNanoseconds
                    latencies.append(now - before)
                    before = now
                }
            }
        } catch {
            return .failure(error)
        }
        return .success(latencies)
    }
}
