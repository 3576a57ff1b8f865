import EventStorage
package import Outbox
import SessionDomain

/// What a person's wish to have a delivery tried again came to.
package enum RequeueEffect: String, Sendable {
    /// It was parked and waits again, due at once and with fresh counters.
    case requeued
    /// It waited for its next attempt anyway, and is due now.
    case dueNow = "due_now"
    /// A worker has it in hand at this moment.
    case underWay = "under_way"
    /// The same command had been done before.
    case repeated
}

/// What requeueing by filter came to, delivery by delivery.
package struct RequeueReport: Sendable {
    package private(set) var done: [(delivery: DeliveryID, effect: RequeueEffect)] = []
    /// What the session does not allow: closed, erased, captured again, or its media is gone.
    package private(set) var refused: [(delivery: DeliveryID, error: LedgerError)] = []
    /// Where the next page begins when the limit was reached.
    package fileprivate(set) var cursor: Int64?

    package init() {}

    package func count(_ effect: RequeueEffect) -> Int { done.count { $0.effect == effect } }

    fileprivate mutating func add(_ delivery: DeliveryID, _ result: Result<Requeued, LedgerError>) {
        switch result {
        case .success(let requeued): done.append((delivery, requeued.effect))
        case .failure(let error): refused.append((delivery, error))
        }
    }

    package mutating func add(_ page: RequeueReport) {
        done += page.done
        refused += page.refused
        cursor = page.cursor
    }
}

extension Ledger {
    /// Has a delivery tried again: a parked one at once and with fresh counters, one that waits without waiting any longer (S67).
    package func requeue(_ delivery: DeliveryRow, _ options: CommandOptions) throws(LedgerError) -> CommandReceipt {
        try requeueing(delivery, options).receipt
    }

    /// As `requeue`, and says what it came to.
    package func requeueing(
        _ delivery: DeliveryRow, _ options: CommandOptions
    ) throws(LedgerError) -> (receipt: CommandReceipt, effect: RequeueEffect) {
        let commandID = options.commandID ?? Self.freshCommandID(clock.nowMilliseconds())
        let done = try writer.writeAndWait { (context) throws(LedgerError) -> Result<Requeued, LedgerError> in
            try context.requeue(delivery, commandID, options)
        }
        return (done.receipt, done.effect)
    }

    /// Has every delivery that the filter asks for tried again, one event each, in one transaction: parked ones unless it says
    /// otherwise. Pauses and breakers stay as they are.
    ///
    /// - Parameter options: with a command id, repeating the call changes nothing that the first one did.
    package func requeue(_ asked: DeliveryFilter, _ options: CommandOptions) throws(LedgerError) -> RequeueReport {
        let filter = asked.parkedUnlessItSays
        let rows = try deliveries(filter)
        let commandID = options.commandID ?? Self.freshCommandID(clock.nowMilliseconds())
        var report = try writer.writeAndWait { (context) throws(LedgerError) -> Result<RequeueReport, LedgerError> in
            var report = RequeueReport()
            for row in rows {
                // one name for all of them, each with its own delivery: repeating the command repeats none
                guard let own = CommandID("\(commandID.text)-\(row.id.text)") else { return .failure(.commandIDTooLong) }
                report.add(row.id, try context.requeue(row, own, options))
            }
            return .success(report)
        }
        if rows.count == filter.limit { report.cursor = rows.last?.number }
        return report
    }
}

extension DeliveryFilter {
    /// A variable in `requeue` itself makes the compiler (6.3.1) fail in a release build.
    fileprivate var parkedUnlessItSays: DeliveryFilter {
        var filter = self
        filter.status = status ?? .parked
        return filter
    }
}

extension LedgerError {
    fileprivate static let commandIDTooLong = LedgerError(
        code: .init(rawValue: "command_id_invalid"), message: "The command id is too long to be one for many deliveries.",
        remedy: "Use at most 90 characters.")
}

struct Requeued: Sendable {
    let receipt: CommandReceipt
    let effect: RequeueEffect
}

extension WriteContext {
    func requeue(
        _ delivery: DeliveryRow, _ commandID: CommandID, _ options: CommandOptions
    ) throws(LedgerError) -> Result<Requeued, LedgerError> {
        guard let piece = Piece(code: delivery.pieceCode) else { return .failure(.noSession()) }
        let command = RequeueDelivery(
            deliveryID: delivery.id, piece: piece, captureID: delivery.capture, destination: delivery.destination)
        let request = CommandRequest(
            session: delivery.session, command: .requeueDelivery(command), commandID: commandID,
            expectedVersion: options.expectedVersion, actor: options.actor,
            body: Ledger.body("requeue", [.init("delivery", .string(delivery.id.text))]))
        let receipt: CommandReceipt
        switch try perform(request) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let done): receipt = done
        }
        if receipt.isRepeat { return .success(Requeued(receipt: receipt, effect: .repeated)) }
        let isParked = !receipt.positions.isEmpty
        let effect = try translated { () throws(StorageError) -> RequeueEffect in
            if isParked {
                try outbox.makeDue(delivery.number, nowMilliseconds: wallMilliseconds)
                return .requeued
            }
            return try outbox.hasten(delivery.number, nowMilliseconds: wallMilliseconds) ? .dueNow : .underWay
        }
        return .success(Requeued(receipt: receipt, effect: effect))
    }
}
