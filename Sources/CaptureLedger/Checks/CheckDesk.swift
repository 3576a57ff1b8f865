import MediaChecks
import SessionDomain
import Synchronization

/// What a ledger judges captures with, made when it is needed first.
final class CheckDesk: Sendable {
    private let made = Mutex<(any CaptureJudge)?>(nil)
    private let make: @Sendable () throws(LedgerError) -> any CaptureJudge
    /// Whether new sessions require checks where nothing else is said.
    let isConfigured: @Sendable () -> Bool

    init(
        isConfigured: @escaping @Sendable () -> Bool, _ make: @escaping @Sendable () throws(LedgerError) -> any CaptureJudge
    ) {
        self.isConfigured = isConfigured
        self.make = make
    }

    /// - Throws: what the settings name and cannot be had, such as a policy that cannot be read.
    var judge: any CaptureJudge {
        get throws(LedgerError) {
            if let known = made.withLock({ $0 }) { return known }
            let judge = try make()
            made.withLock { $0 = $0 ?? judge }
            return made.withLock { $0 } ?? judge
        }
    }
}

extension CheckDesk {
    convenience init(_ options: LedgerOptions, _ settings: Settings, _ files: LedgerFiles) {
        self.init(
            isConfigured: {
                options.judge != nil || options.runner != nil || settings.checks.runner != nil || Inference.runner != nil
            },
            { () throws(LedgerError) in
                if let judge = options.judge { return judge }
                throw LedgerError(
                    code: .init(rawValue: "not_ready"), message: "This ledger has nothing to check captures with.",
                    remedy: "Turn the checks off for its sessions.")
            })
    }
}
