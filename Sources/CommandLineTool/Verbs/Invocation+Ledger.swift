import CaptureLedger
import SessionDomain

extension Invocation {
    /// The ledger, for a verb that writes.
    func openLedger(at path: String? = nil) throws -> Ledger { try open(path ?? ledgerPath, isReadOnly: false) }

    /// The ledger, for a verb that only looks: nothing is locked, and a user without write permission may do it too.
    func openForReading(at path: String? = nil) throws -> Ledger { try open(path ?? ledgerPath, isReadOnly: true) }

    private func open(_ path: String, isReadOnly: Bool) throws -> Ledger {
        var options = LedgerOptions(ofCommandIn: environment)
        options.isReadOnly = isReadOnly
        let ledger = try Ledger.open(folder: path, options: options)
        opened.add(ledger)
        return ledger
    }

    /// The client's names for the command.
    func commandOptions() throws -> CommandOptions {
        var options = CommandOptions()
        options.commandID = try commandID()
        options.expectedVersion = try expectedVersion()
        return options
    }
}

extension LedgerOptions {
    /// As a command opens a ledger: it is over soon, and nobody registers a runner in it.
    init(ofCommandIn environment: [String: String]) {
        self.init()
        self.environment = environment
        configuredRunner = { (checks) throws(LedgerError) in try RunnerChoice.runner(checks) }
        keepsDecoder = false
        awaitsRunner = false
    }
}
