import CaptureLedger
import CaptureLedgerSync
import SessionDomain
import StructuredLog
import SystemCalls

/// What a run leaves for those who watch over it from outside. Nothing here makes a run fail.
struct Aftermath {
    private static let pingMilliseconds: Int64 = 5_000

    let ledger: Ledger
    let logger: Logger

    func tell(_ round: Round, millisecondsLeft: Int64?) {
        let settings = ledger.settings.sync
        guard let standing = round.standing else { return }
        // the run that holds the lock tells, once
        if round.isOthersWork { return }
        if let path = settings.metricsFile {
            put(path, mode: settings.metricsMode, isDurable: settings.isMetricsFileDurable, "the metrics file") {
                Array(try MetricsText(ledger, round, standing).text.utf8)
            }
        }
        guard round.isHealthy else { return }
        if let path = settings.deadManFile {
            put(path, mode: 0o644, isDurable: false, "the dead man's file") { sign(standing).canonicalBytes + [0x0A] }
        }
        if let url = settings.deadManURL {
            let limit = max(250, min(Self.pingMilliseconds, millisecondsLeft ?? .max))
            let failure = ledger.ping(url, allowedAddresses: settings.allowedAddresses, limitMilliseconds: Int(limit))
            if let failure { logger.warning("the dead man's address was not reached", [Field("why", failure)]) }
        }
    }

    /// What the dead man's file says: that there was a healthy run, when, and how much was left.
    private func sign(_ standing: DeliveryStanding) -> JSONValue {
        [
            "at_ms": .integer(standing.takenAtMilliseconds), "at": .string(Words.time(standing.takenAtMilliseconds)),
            "ledger_id": .string(ledger.ledgerID.text), "position": .integer(standing.lastPosition),
            "backlog": ["waiting": .whole(standing.waiting), "parked": .whole(standing.parked)],
            "oldest_confirmed_at_ms": .whole(standing.oldestConfirmedAtMilliseconds),
        ]
    }

    private func put(
        _ path: String, mode: UInt32, isDurable: Bool, _ what: StaticString, _ bytes: () throws -> [UInt8]
    ) {
        let place = path.hasPrefix("/") ? path : ledger.files.folder + "/" + path
        do {
            try FileSystem.replace(place, with: try bytes(), mode: mode, isDurable: isDurable)
        } catch {
            let why = (error as? SystemError)?.message ?? Complaint(anything: error).message
            logger.warning(
                "a file for those who watch could not be put in place", [Field("file", "\(what)"), Field("why", why)])
        }
    }
}
