import CaptureLedger
import CaptureLedgerRunners
import FoundationEssentials
import MediaChecks
import SessionDomain

/// What a file is checked with where no ledger need be: as the ledger's settings say where there is one, else with TensorFlow Lite and
/// the models that are found.
struct CheckBench {
    let tools: CheckTools
    let limits: MediaLimits

    init(_ invocation: Invocation) throws {
        let settings = try Settings.load(ledger: invocation.ledgerPath, environment: invocation.environment)
        var checks = settings.checks.resolved(in: invocation.ledgerPath)
        // a file that a word names and that is not there is no matter of the settings
        if let named = invocation.text("policy") {
            _ = try PolicyFile.read(named)
            checks.policy = named
        }
        tools = CheckTools(checks) { (checks) throws(LedgerError) in try RunnerChoice.runner(checks) }
        limits = settings.media
    }
}

/// The runners that settings can name.
enum RunnerChoice {
    /// TensorFlow Lite where none is named.
    static func runner(_ checks: CheckSettings) throws(LedgerError) -> any ModelRunner {
        switch checks.runner {
        case .tensorFlowLite, nil: try TensorFlowLiteRunner(library: checks.library.map { URL(filePath: $0) })
        case .process(let command):
            ChildProcessRunner(program: URL(filePath: "/bin/sh"), arguments: ["-c", "exec \(command)"])
        }
    }
}
