package import SessionDomain

/// One of several commands that are asked for together.
package enum LedgerCommand: Sendable {
    /// Begins a session under an id that the caller made, so that commands behind it can name it.
    case start(StartRequest, as: SessionID)
    case command(CommandRequest)
}

extension Ledger {
    /// Decides and appends commands in order in one transaction. A command that is refused has written nothing and spoils none of
    /// the others; all answers come once everything is durable.
    package func submitTogether(
        _ commands: [LedgerCommand]
    ) async throws(LedgerError) -> [Result<CommandReceipt, LedgerError>] {
        try await writer.write(together(commands))
    }

    /// As `submitTogether`, from a thread that may block.
    package func performTogether(_ commands: [LedgerCommand]) throws(LedgerError) -> [Result<CommandReceipt, LedgerError>] {
        try writer.writeAndWait(together(commands))
    }

    private func together(
        _ commands: [LedgerCommand]
    ) -> @Sendable (WriteContext) throws(LedgerError) -> Result<[Result<CommandReceipt, LedgerError>], LedgerError> {
        let (now, policy) = (clock.nowMilliseconds(), startPolicy)
        return { (context) throws(LedgerError) in
            var results: [Result<CommandReceipt, LedgerError>] = []
            results.reserveCapacity(commands.count)
            for command in commands {
                switch command {
                case .start(let request, let session):
                    let id = request.commandID ?? Self.freshCommandID(now)
                    results.append(try context.start(request, policy, session: session, commandID: id))
                case .command(let request): results.append(try context.perform(request))
                }
            }
            return .success(results)
        }
    }
}
