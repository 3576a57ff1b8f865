import MediaChecks
import SessionDomain
import Synchronization

/// What a ledger judges captures with, made when it is needed first.
final class CheckDesk: Sendable {
    private let made = Mutex<(any CaptureJudge)?>(nil)
    private let scripted: (any CaptureJudge)?
    private let isNamed: Bool
    let tools: CheckTools

    init(_ options: LedgerOptions, _ settings: Settings, _ files: LedgerFiles) {
        scripted = options.judge
        let checks = settings.checks.resolved(in: files.folder)
        isNamed = options.judge != nil || options.runner != nil || checks.runner != nil
        var places = CheckTools.Places()
        places.decoder = options.decoder?.path ?? checks.decoder
        places.models = options.models?.path ?? checks.models
        places.policy = options.policy?.path ?? checks.policy
        var tools = CheckTools(places, runners: Self.runners(options, checks))
        tools.cropSide = checks.cropSide
        tools.clock = options.clock
        tools.log = options.log
        tools.keepsDecoder = options.keepsDecoder
        tools.awaitsRunner = options.awaitsRunner
        self.tools = tools
    }

    private static func runners(_ options: LedgerOptions, _ checks: CheckSettings) -> RunnerRegistry {
        if let runner = options.runner { return RunnerRegistry(runner) }
        // a session may ask for checks where the settings name no runner
        guard let make = options.configuredRunner else { return Inference.registry }
        return RunnerRegistry(NamedRunner(checks, make))
    }

    /// Whether new sessions require checks where nothing else is said.
    var isConfigured: Bool { isNamed || Inference.runner != nil }

    /// - Throws: a policy that cannot be read.
    var judge: any CaptureJudge {
        get throws(LedgerError) {
            if let scripted { return scripted }
            if let known = made.withLock({ $0 }) { return known }
            let judge = try tools.checker()
            return made.withLock { made in
                let first = made ?? judge
                made = first
                return first
            }
        }
    }

    /// Lets go of the decoder and the models.
    func close() { made.withLock { $0 = nil } }
}
