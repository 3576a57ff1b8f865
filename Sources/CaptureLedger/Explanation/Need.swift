import DeliveryMachine
import EventStorage
import Outbox
import SessionDomain

/// Something that goes no further until a person acts, with how much of it there is.
package struct Need: Sendable, Hashable {
    /// Stable, such as `recapture`, `parked` or `destination_paused`.
    package let kind: String
    package let count: Int
    package let situation: Situation
}

/// How a ledger stands: what needs a person now, and what is under way.
package struct LedgerStanding: Sendable {
    /// Sessions that are not over, by phase.
    package var capturing = 0
    package var recaptures = 0
    package var waitingForVerification = 0
    package var suspended = 0
    /// Captures that wait for a judgement.
    package var unchecked = 0
    /// By how much the clock stands behind the newest event, or behind 2020; nil where it does not.
    package var clockBehindMilliseconds: Int64?
    /// Most urgent first: destinations, deliveries, checks, people.
    package var needs: [Need] = []
}

extension Ledger {
    /// Reads the flow table, the queue and the destinations; nothing private.
    package func attention() throws(LedgerError) -> LedgerStanding {
        var standing = LedgerStanding()
        let open = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.flows.open() }
        }
        (standing.capturing, standing.recaptures) = (open.capturing, open.needRecapture)
        (standing.waitingForVerification, standing.suspended) = (open.waitForVerification, open.suspended)
        standing.unchecked = try uncheckedCount()
        let sent: DeliveryStanding? = try? self.standing()
        if let delivery = sent {
            for entry in delivery.entries { standing.needs += Self.needs(of: entry) }
            standing.needs += try pausedNeeds()
            standing.needs += Self.parked(delivery.entries)
        } else {
            standing.needs.append(
                Need(
                    kind: "needs_migration", count: 1,
                    situation: Situation(
                        "The ledger's schema is older than this version's.", next: "It is read and not written until then.",
                        .operator, ["migrate --dry-run", "migrate"], code: "needs_migration")))
        }
        if let need = try erasureNeed() { standing.needs.insert(need, at: 0) }
        standing.clockBehindMilliseconds = try clockBehindMilliseconds()
        if standing.clockBehindMilliseconds != nil { standing.needs.insert(Self.clockNeed, at: 0) }
        if let need = try sent.flatMap({ (delivery) throws(LedgerError) in try transactionNeed(delivery.entries) }) {
            standing.needs.append(need)
        }
        if standing.unchecked > 0 {
            standing.needs.append(
                Need(
                    kind: "checks", count: standing.unchecked,
                    situation: Situation(
                        "\(Self.captures(standing.unchecked)) for checks.", next: "Nothing of them is sent before.", .operator,
                        ["check --pending"])))
        }
        if standing.recaptures > 0 {
            standing.needs.append(
                Need(
                    kind: "recapture", count: standing.recaptures,
                    situation: Situation(
                        "\(standing.recaptures) \(standing.recaptures == 1 ? "session needs" : "sessions need") a piece captured again.",
                        next: "The person is asked to come back.", .user, ["session list --needs recapture"])))
        }
        return standing
    }

    private static func captures(_ count: Int) -> String { "\(count) \(count == 1 ? "capture waits" : "captures wait")" }

    private static func deliveries(_ count: Int) -> String { "\(count) \(count == 1 ? "delivery" : "deliveries")" }

    /// A destination that is paused, or that the settings do not name, while something waits for it.
    private static func needs(of entry: DeliveryStanding.Entry) -> [Need] {
        let waiting = entry.waiting?.count ?? 0
        let name = entry.destination
        if name == CaptureConfiguration.host { return [] }
        if let pause = entry.state.pause {
            let reason = pause.reason.rawValue
            return [
                Need(
                    kind: "destination_paused", count: waiting,
                    situation: Situation(
                        "\(name) is paused: \(Cause.sentence(reason)). \(waiting == 0 ? "Nothing waits for it." : "\(deliveries(waiting)) \(waiting == 1 ? "waits" : "wait") for it.")",
                        since: pause.sinceMilliseconds, next: Cause.remedy(reason, destination: name),
                        at: pause.probeAtMilliseconds, .operator, Situation.pauseCommands(reason, name), code: reason))
            ]
        }
        guard !entry.isConfigured, waiting > 0 else { return [] }
        return [
            Need(
                kind: Cause.noDestination, count: waiting,
                situation: Situation(
                    "\(deliveries(waiting)) \(waiting == 1 ? "waits" : "wait") for \(name): \(Cause.sentence(Cause.noDestination)).",
                    since: entry.waiting?.oldestConfirmedAtMilliseconds,
                    next: Cause.remedy(Cause.noDestination, destination: name), .operator, ["config check"],
                    code: Cause.noDestination))
        ]
    }

    private func pausedNeeds() throws(LedgerError) -> [Need] {
        let pauses = try sessionPauses()
        guard let oldest = pauses.first else { return [] }
        let more = pauses.count == 1 ? "" : "s"
        return [
            Need(
                kind: "session_paused", count: pauses.count,
                situation: Situation(
                    "A person paused the deliveries of \(pauses.count) session\(more).", since: oldest.sinceMilliseconds,
                    next: "Nothing of them is sent until they are resumed.", .operator,
                    pauses.prefix(3).map { "sync resume --session \($0.session.text)" }))
        ]
    }

    /// By cause, over all destinations.
    private static func parked(_ entries: [DeliveryStanding.Entry]) -> [Need] {
        var causes: [String: Int] = [:]
        for (cause, count) in entries.flatMap(\.parked) { causes[cause, default: 0] += count }
        return causes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { cause, count in
            let isLost = cause == ParkCause.mediaDestroyed.rawValue || cause == ParkCause.mediaExpired.rawValue
            let list = "sync list --status parked --cause \(cause)"
            return Need(
                kind: "parked", count: count,
                situation: Situation(
                    "\(deliveries(count)) given up (\(Situation.plain(cause))): \(Cause.sentence(cause)).",
                    next: Cause.remedy(cause, destination: "the destination"), isLost ? .user : .operator,
                    isLost || cause == ParkCause.keyReused.rawValue ? [list] : [list, "sync requeue --cause \(cause)"],
                    code: cause))
        }
    }

    private static var clockNeed: Need {
        Need(
            kind: "clock_behind", count: 1,
            situation: Situation(
                "The clock stands before the newest event, or before 2020.",
                next: "Set it (timedatectl); until it catches up, new events repeat the newest event's time.", .operator,
                ["doctor"],
                code: "clock_behind"))
    }

    /// Somebody waits to be erased, which the file outside the ledger keeps from being done.
    private func erasureNeed() throws(LedgerError) -> Need? {
        guard let since = try erasureStuckSince() else { return nil }
        return Need(
            kind: "erasure_stuck", count: 1,
            situation: Situation(
                "Erasures are due and cannot be done: the tombstone file cannot be written.", since: since,
                next: "Their sessions stay shut; they are erased once the file is there and writable.", .operator, ["doctor"],
                code: "erasure_stuck"))
    }

    /// Holograms that wait for their transaction.
    private func transactionNeed(_ entries: [DeliveryStanding.Entry]) throws(LedgerError) -> Need? {
        let count = entries.reduce(0) { $0 + $1.withoutTransaction }
        guard let number = entries.compactMap(\.firstWithoutTransaction).min(),
            let first = try deliveries(after: number - 1, limit: 1).first
        else { return nil }
        return Need(
            kind: "transaction", count: count,
            situation: Situation(
                "\(count) \(count == 1 ? "hologram waits for its" : "holograms wait for their") transaction.",
                since: first.confirmedAtMilliseconds, next: "It is sent once its transaction is bound.", .host,
                ["hologram bind \(first.session.text) --transaction-id T"], code: "transaction_missing"))
    }
}
