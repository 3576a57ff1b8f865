import CaptureLedger
import CaptureLedgerSync
import DeliveryMachine
import Outbox
import SystemCalls

/// The figures of one ledger after a run. Counters are counted in the delivery log, so they never fall and never start anew.
struct MetricsText {
    let text: String

    init(_ ledger: Ledger, _ round: Round, _ standing: DeliveryStanding) throws {
        // however a run names the ledger and wherever it stands, its series goes on
        let folder = FileSystem.absolute(ledger.files.folder).split(separator: "/").filter { $0 != "." }
        let ours = [("ledger", "/" + folder.joined(separator: "/"))]
        var page = Exposition()
        Self.backlog(standing, ours, &page)
        Self.destinations(standing, ours, &page)
        Self.log(try ledger.attemptFigures(), ours, &page)
        page.add(
            "capture_ledger_credential_expiry_timestamp_seconds", .gauge,
            "When a token or a certificate of a destination ends.",
            Self.expiries(ledger).map { key, time in
                (ours + [("destination", key[0]), ("what", key[1])], .seconds(milliseconds: time))
            })
        Self.run(round, standing, ours, &page)
        page.add(
            "capture_ledger_position", .gauge, "Position of the last event.", [(ours, .whole(standing.lastPosition))])
        page.add(
            "capture_ledger_free_bytes", .gauge, "Bytes that can still be written where the ledger lies.",
            [(ours, .whole(try ledger.freeBytes()))])
        text = page.text
    }

    /// The first of each kind to end; the same sample twice would be no sample.
    private static func expiries(_ ledger: Ledger) -> [(key: [String], value: Int64)] {
        let times = ledger.credentialExpiries().map { ([$0.destination, $0.what.rawValue], $0.expiresAtMilliseconds) }
        return Dictionary(times, uniquingKeysWith: min).sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    private static func backlog(_ standing: DeliveryStanding, _ ours: [(String, String)], _ page: inout Exposition) {
        func each(_ value: (DeliveryStanding.Entry) -> Exposition.Value?) -> [([(String, String)], Exposition.Value)] {
            standing.entries.compactMap { entry in
                value(entry).map { (ours + [("destination", entry.destination)], $0) }
            }
        }
        page.add(
            "capture_ledger_waiting_deliveries", .gauge, "Deliveries that may be sent and were not settled yet.",
            each { .whole(Int64($0.waiting?.count ?? 0)) })
        page.add(
            "capture_ledger_blocked_deliveries", .gauge, "Deliveries that wait for something else, such as a transaction.",
            each { .whole(Int64($0.blocked)) })
        page.add(
            "capture_ledger_oldest_waiting_seconds", .gauge,
            "How long the oldest of the waiting deliveries has waited; 0 without one.",
            each { entry in
                .seconds(
                    milliseconds: entry.waiting.map {
                        max(0, standing.takenAtMilliseconds - $0.oldestConfirmedAtMilliseconds)
                    } ?? 0)
            })
        page.add(
            "capture_ledger_parked_deliveries", .gauge, "Deliveries that were given up and wait for a person, by cause.",
            standing.entries.flatMap { entry in
                entry.parked.map {
                    (ours + [("destination", entry.destination), ("cause", $0.cause)], .whole(Int64($0.count)))
                }
            })
    }

    private static func destinations(_ standing: DeliveryStanding, _ ours: [(String, String)], _ page: inout Exposition) {
        page.add(
            "capture_ledger_destination_paused", .gauge, "1 while nothing is sent to the destination, with the reason.",
            standing.entries.map { entry in
                let reason = entry.state.pause?.reason.rawValue ?? ""
                return (
                    ours + [("destination", entry.destination), ("reason", reason)], .whole(entry.state.pause == nil ? 0 : 1)
                )
            })
        page.add(
            "capture_ledger_breaker_open", .gauge, "1 while the destination is left alone because it keeps failing.",
            standing.entries.map { entry in
                let isOpen = entry.state.breaker.map { $0.untilMilliseconds > standing.takenAtMilliseconds } ?? false
                return (ours + [("destination", entry.destination)], .whole(isOpen ? 1 : 0))
            })
        page.add(
            "capture_ledger_failures_in_a_row", .gauge, "Failures of the destination since something last got through.",
            standing.entries.map { (ours + [("destination", $0.destination)], .whole(Int64($0.state.failuresInARow))) })
        page.add(
            "capture_ledger_last_success_timestamp_seconds", .gauge, "When a delivery to the destination last got through.",
            standing.entries.compactMap { entry in
                entry.state.lastDeliveredAtMilliseconds.map {
                    (ours + [("destination", entry.destination)], .seconds(milliseconds: $0))
                }
            })
    }

    private static func log(_ figures: [AttemptFigures], _ ours: [(String, String)], _ page: inout Exposition) {
        var outcomes: [[String]: Int64] = [:]
        var attempts: [[String]: Int64] = [:]
        var bytes: [String: Int64] = [:]
        for row in figures {
            attempts[[row.destination, row.kind, row.certainty, row.explanation], default: 0] += row.count
            bytes[row.destination, default: 0] += row.bytesSent
            let outcome = row.action == "deliver" ? row.explanation : row.action == "park" ? "parked" : nil
            if let outcome { outcomes[[row.destination, outcome], default: 0] += row.count }
        }
        page.add(
            "capture_ledger_deliveries_total", .counter, "Deliveries that ended with a request, by outcome.",
            outcomes.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
                (ours + [("destination", $0.key[0]), ("outcome", $0.key[1])], .whole($0.value))
            })
        page.add(
            "capture_ledger_attempts_total", .counter, "Requests, by whether they arrived and by what they came to.",
            attempts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
                (
                    ours + [
                        ("destination", $0.key[0]), ("kind", $0.key[1]), ("certainty", $0.key[2]), ("class", $0.key[3]),
                    ], .whole($0.value)
                )
            })
        page.add(
            "capture_ledger_sent_bytes_total", .counter, "Bytes of requests that were handed to the network.",
            bytes.sorted { $0.key < $1.key }.map { (ours + [("destination", $0.key)], .whole($0.value)) })
    }

    private static func run(
        _ round: Round, _ standing: DeliveryStanding, _ ours: [(String, String)], _ page: inout Exposition
    ) {
        page.add(
            "capture_ledger_run_timestamp_seconds", .gauge, "When the last run ended.",
            [(ours, .seconds(milliseconds: standing.takenAtMilliseconds))])
        page.add(
            "capture_ledger_run_duration_seconds", .gauge, "How long it took.",
            [(ours, .seconds(milliseconds: round.durationMilliseconds))])
        page.add(
            "capture_ledger_run_exit_code", .gauge, "How it ended: the exit code of sync without --cron.",
            [(ours, .whole(Int64(round.exit.rawValue)))])
        page.add(
            "capture_ledger_run_healthy", .gauge, "1 when nothing waits for a person.",
            [(ours, .whole(round.isHealthy ? 1 : 0))])
    }
}
