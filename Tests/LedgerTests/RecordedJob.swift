import SessionDomain
import Synchronization

@testable import CaptureLedger

/// A job of a batch that remembers what it was told.
final class RecordedJob: WriteJob {
    typealias Answer = Result<CommandReceipt, LedgerError>

    private struct Told {
        var answer: Answer?
        var ends: [LedgerError?] = []
    }

    private let body: @Sendable (WriteContext) throws(LedgerError) -> Answer?
    private let told = Mutex(Told())

    init(_ body: @escaping @Sendable (WriteContext) throws(LedgerError) -> Answer?) { self.body = body }

    convenience init(_ request: CommandRequest) {
        self.init { (context) throws(LedgerError) in try context.perform(request) }
    }

    func run(_ context: WriteContext) throws(LedgerError) {
        let answer = try body(context)
        told.withLock { $0.answer = answer }
    }

    func finish(_ failure: LedgerError?) { told.withLock { $0.ends.append(failure) } }

    /// What it came to inside the transaction.
    var answer: Answer? { told.withLock { $0.answer } }
    /// What it was told at the end; one element, or something is wrong.
    var ends: [LedgerError?] { told.withLock { $0.ends } }
    var receipt: CommandReceipt? { try? answer?.get() }
}

extension CommandRequest {
    init(_ session: SessionID, _ command: SessionCommand, _ id: CommandID, expectedVersion: Int64? = nil) {
        self.init(
            session: session, command: command, commandID: id, expectedVersion: expectedVersion,
            body: Array("\(command)".utf8))
    }
}
