import LocalHTTP

/// Scripted verifier and hologram endpoints on loopback, for tests, trials and the demonstration.
///
/// It judges every body the way a strict server would, takes a submission in once for a key, and counts effects by what
/// the body says. It serves from the moment it exists until ``stop()``.
package final class Sandbox: Sendable {
    private let server: HTTPServer
    private let desk: Desk

    /// - Parameters:
    ///   - port: 0 picks a free one.
    ///   - recordFile: JSON lines of all that arrives, each written before its answer is sent. One that is there is gone on
    ///     with.
    /// - Throws: `cannot_listen`, `record_unwritable`, `record_unreadable`.
    package init(
        port: UInt16 = 0, scenario: SandboxScenario = SandboxScenario(), recordFile: String? = nil
    ) throws(SandboxError) {
        let stopSignal = StopSignal()
        let desk: Desk
        let lines: AppendedLines?
        do throws(HTTPServerError) {
            lines = try recordFile.map { path throws(HTTPServerError) in try AppendedLines(path: path) }
        } catch {
            throw SandboxError(code: .recordUnwritable, message: error.message, remedy: error.remedy)
        }
        desk = try Desk(scenario, lines, stopSignal)
        self.desk = desk
        do throws(HTTPServerError) {
            server = try HTTPServer(.init(port: port), stopSignal: stopSignal) { Routes(desk: desk).plan($0) }
        } catch {
            throw SandboxError(code: .cannotListen, message: error.message, remedy: error.remedy)
        }
    }

    package var port: UInt16 { server.port }
    package var verifierURL: String { server.origin + Routes.verifier }
    package var hologramURL: String { server.origin + Routes.hologram }
    package var controlURL: String { server.origin + Routes.control }

    /// The object of the first line that the command prints.
    package var addresses: SandboxJSON {
        [
            "verifier_url": .string(verifierURL), "hologram_url": .string(hologramURL),
            "control_url": .string(controlURL),
        ]
    }

    /// Everything that reached the endpoints so far.
    package func record() -> SandboxRecord { desk.record }

    /// Swaps the script; requests are counted anew for its rules, the record stays.
    package func use(_ scenario: SandboxScenario) { desk.use(scenario) }

    /// Forgets record, keys and effects; the script begins anew.
    package func reset() { desk.reset() }

    /// Ends every connection and the threads behind them. Safe to repeat.
    package func stop() { server.stop() }
}
