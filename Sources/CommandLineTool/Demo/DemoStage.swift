import CaptureLedger
import CaptureLedgerSync
import Sandbox
import SessionDomain
import Sync
import Synchronization

/// Where the demonstration plays: a ledger, the pictures, and a sandbox whose record outlives the process.
final class DemoStage: Sendable {
    static let clientKey = "demo"

    let ledgerPath: String
    let fixtures: String
    private let environment: [String: String]
    /// What keeps the checks from running here; nil: they run.
    let obstacle: String?
    private let running = Mutex<Sandbox?>(nil)

    init(ledgerPath: String, fixtures: String, environment: [String: String]) {
        self.ledgerPath = ledgerPath
        self.fixtures = fixtures
        var checks = CheckSettings()
        checks.runner = .tensorFlowLite
        let missing = CheckTools(checks) { (checks) throws(LedgerError) in try RunnerChoice.runner(checks) }
            .findings().first { $0.severity == .error }
        obstacle = missing?.message
        var environment = environment
        if missing == nil { environment["CAPTURE_LEDGER_RUNNER"] = CheckSettings.Runner.tensorFlowLiteName }
        self.environment = environment
    }

    /// Of the session.
    var checks: ChecksMode { obstacle == nil ? .required : .off }

    private var recordPath: String { ledgerPath + ".sandbox.jsonl" }

    /// Makes the ledger unless it is there. Key and tombstones lie beside it, not in the user's own folders.
    func prepare() throws(LedgerError) {
        do throws(LedgerError) {
            _ = try Ledger.create(folder: ledgerPath, options: CreateOptions(configurationFolder: ledgerPath + ".config"))
        } catch {
            guard error.code.rawValue == "ledger_exists" else { throw error }
        }
    }

    /// The ledger, with its destinations at `origin`, or where nobody listens.
    func open(_ sandbox: Sandbox? = nil) throws(LedgerError) -> Ledger {
        var options = LedgerOptions(ofCommandIn: environment)
        // Port 9, discard: reserved, and nobody listens there.
        options.environment["CAPTURE_LEDGER_VERIFIER_URL"] = sandbox?.verifierURL ?? "http://127.0.0.1:9/verifier"
        options.environment["CAPTURE_LEDGER_HOLOGRAM_URL"] = sandbox?.hologramURL ?? "http://127.0.0.1:9/hologram"
        return try Ledger.open(folder: ledgerPath, options: options)
    }

    func options(_ name: String) throws -> CommandOptions {
        var options = CommandOptions()
        options.commandID = CommandID("demo-\(name)")
        return options
    }

    func session(in ledger: Ledger) throws -> SessionID {
        guard let session = try ledger.find(.clientKey(Self.clientKey)).first else {
            throw Complaint(
                "demo_not_started", "This ledger holds no demonstration.", remedy: "Do the step start first.", exit: .notFound)
        }
        return session
    }

    func inSession(_ body: (Ledger, SessionID) throws -> String) throws -> String {
        let ledger = try open()
        defer { ledger.closeAndWait() }
        return try body(ledger, try session(in: ledger))
    }

    /// Runs of the worker until nothing is left, as cron would start them; nil: the endpoints are down, and one run finds that out.
    func sync(against scenario: SandboxScenario?) throws -> SyncReport {
        let sandbox = try scenario.map { try started($0) }
        let ledger = try open(sandbox)
        defer { ledger.closeAndWait() }
        let clock = ContinuousClock()
        // an endpoint that was down for several runs is left alone for a while before it is tried again
        let end = clock.now + .seconds(45)
        var total = SyncReport()
        repeat {
            var options = SyncOptions()
            options.deadlineMilliseconds = max(0, Int64((end - clock.now) / .milliseconds(1)))
            if sandbox == nil { options.patienceMilliseconds = 0 }
            guard case .finished(let report) = try ledger.synchronizeAndWait(options) else {
                throw Complaint(
                    "another_run_works", "Another sync works on this ledger.", remedy: "Wait for it to end.", exit: .workLeft)
            }
            total.verified += report.verified
            total.rejected += report.rejected
            total.left = report.left
        } while sandbox != nil && total.left > 0 && clock.now < end
        return total
    }

    private func started(_ scenario: SandboxScenario) throws -> Sandbox {
        if let sandbox = running.withLock({ $0 }) {
            sandbox.use(scenario)
            return sandbox
        }
        let sandbox = try Sandbox(scenario: scenario, recordFile: recordPath)
        running.withLock { $0 = sandbox }
        return sandbox
    }

    /// What the sandbox saw in all of the demonstration, also in processes that were killed.
    func record() throws -> SandboxRecord {
        if let sandbox = running.withLock({ $0 }) { return sandbox.record() }
        let sandbox = try Sandbox(recordFile: recordPath)
        defer { sandbox.stop() }
        return sandbox.record()
    }

    func stop() { running.withLock { $0.take() }?.stop() }
}
