package import SessionDomain

/// A command to one session, with what surrounds it.
package struct CommandRequest: Sendable {
    package var session: SessionID
    package var command: SessionCommand
    package var commandID: CommandID
    package var expectedVersion: Int64?
    /// The client's clock.
    package var occurredAtMilliseconds: Int64?
    package var actor: String?
    package var correlationID: String?
    /// Canonical bytes of what was asked for: the same bytes are the same command, others a conflict.
    package var body: [UInt8]

    package init(
        session: SessionID, command: SessionCommand, commandID: CommandID, expectedVersion: Int64? = nil,
        occurredAtMilliseconds: Int64? = nil, actor: String? = nil, correlationID: String? = nil, body: [UInt8]
    ) {
        self.session = session
        self.command = command
        self.commandID = commandID
        self.expectedVersion = expectedVersion
        self.occurredAtMilliseconds = occurredAtMilliseconds
        self.actor = actor
        self.correlationID = correlationID
        self.body = body
    }
}

/// What a command came to; durable.
package struct CommandReceipt: Sendable, Equatable {
    package let session: SessionID
    package let commandID: CommandID
    package let positions: [Int64]
    /// The command had been done before: this is its first receipt.
    package let isRepeat: Bool
}

extension CommandReceipt {
    /// The same command with what it led to afterwards.
    func followed(by more: [Int64]) -> CommandReceipt {
        CommandReceipt(
            session: session, commandID: commandID, positions: positions + more.filter { !positions.contains($0) },
            isRepeat: isRepeat)
    }
}
