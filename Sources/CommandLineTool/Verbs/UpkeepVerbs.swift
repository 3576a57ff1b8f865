import CaptureLedger
import SessionDomain
import SystemCalls

extension Verb {
    static let doctor = Verb(
        path: ["doctor"], summary: "Look at a ledger and its surroundings, and say what to do.",
        options: [.flag("fix", "repair what is safe to repair")],
        examples: ["capture-ledger doctor", "capture-ledger doctor --fix"],
        exits: [.refused, .notFound, .inputOutput, .notPermitted],
        run: { invocation, console in
            let fixes = invocation.has("fix")
            let ledger: Ledger
            do { ledger = try fixes ? invocation.openLedger() : invocation.openForReading() } catch let error as LedgerError {
                throw beyondHelp(error)
            }
            let report = try ledger.doctor(fix: fixes)
            try console.result(
                [
                    "healthy": .bool(report.isHealthy), "sqlite_version": .string(report.sqliteVersion),
                    "schema_version": .whole(report.schemaVersion), "last_position": .integer(report.lastPosition),
                    "free_bytes": .integer(report.freeBytes), "log_bytes": .integer(report.logBytes),
                    "findings": .array(
                        report.findings.map {
                            [
                                "code": .string($0.code), "severity": .string($0.severity.rawValue),
                                "message": .string($0.message),
                                "remedy": .string($0.remedy), "fixed": .bool($0.fixed),
                            ]
                        }),
                ],
                ([
                    "\(report.isHealthy ? "Healthy" : "NOT healthy"): SQLite \(report.sqliteVersion), schema \(report.schemaVersion), last position \(report.lastPosition), \(Words.bytes(report.freeBytes)) free."
                ]
                    + report.findings.map {
                        "\($0.fixed ? "fixed" : $0.severity.rawValue): \($0.message) \($0.fixed ? "" : $0.remedy)".trimmed
                    })
                    .joined(separator: "\n"))
            return report.isHealthy ? .done : .refused
        })

    /// Whoever asked the doctor is not sent to the doctor.
    private static func beyondHelp(_ error: LedgerError) -> Complaint {
        let complaint = Complaint(error)
        guard ["storage_corrupt", "not_a_ledger", "schema_damaged"].contains(complaint.code) else { return complaint }
        return Complaint(
            complaint.code, complaint.message,
            remedy:
                "Copy the whole folder to a safe place first, then make a ledger from the last good backup: capture-ledger restore FILE DIR. Nothing in this folder is repaired by itself.",
            exit: complaint.exit)
    }

    static let rebuild = Verb(
        path: ["rebuild"],
        summary: "Make flow, delivery and analytics tables again from the events, beside the old, and swap them.",
        examples: ["capture-ledger rebuild"], exits: [.notFound, .inputOutput, .notPermitted],
        run: { invocation, console in
            let report = try invocation.openLedger().rebuild()
            try console.result(
                [
                    "events": .integer(report.events), "seconds": .double(report.seconds),
                    "projections": .array(report.projections.map { .string($0) }),
                ],
                "Rebuilt \(report.projections.joined(separator: ", ")) from \(Words.count(Int(report.events), "event")).")
            return .done
        })

    static let migrate = Verb(
        path: ["migrate"], summary: "Bring an older ledger's schema up to this version.",
        options: [.flag("dry-run", "say what would change, and change nothing")],
        examples: ["capture-ledger migrate --dry-run"], exits: [.refused, .notFound, .inputOutput, .notPermitted],
        run: { invocation, console in
            let files = LedgerFiles(folder: invocation.ledgerPath)
            guard (try? FileStatus.of(files.database)) ?? nil != nil else {
                throw Complaint(
                    "no_such_ledger", "There is no ledger in \(files.folder).", remedy: "Name its folder with --ledger.",
                    exit: .notFound)
            }
            let isDry = invocation.has("dry-run")
            let names =
                isDry
                ? try Ledger.pendingMigrations(files)
                : try Ledger.migrate(files.folder, nowMilliseconds: SystemClock.realtimeMilliseconds())
            let lead = isDry ? "Would run" : "Ran"
            try console.result(
                ["dry_run": .bool(isDry), "migrations": .array(names.map { .string($0) })],
                names.isEmpty
                    ? "The schema is this version's; nothing is to be done." : "\(lead): \(names.joined(separator: ", ")).")
            return .done
        })
}
