import CaptureLedger
import SessionDomain
import SystemCalls

extension Verb {
    static let backup = Verb(
        path: ["backup"], summary: "Write one verified backup file while the ledger is in use.",
        positionals: [Positional("FILE", "a file that does not exist yet")],
        examples: ["capture-ledger backup /backup/kiosk-2026-11-30.backup"],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput, .notPermitted],
        run: { invocation, console in
            let made = try invocation.openLedger().backup(to: invocation[0])
            try console.result(
                [
                    "backup": [
                        "path": .string(made.path), "ledger_id": .string(made.ledgerID.text), "epoch": .string(made.epoch.text),
                        "position": .integer(made.position), "media": .whole(made.media), "evidence": .whole(made.evidence),
                        "bytes": .integer(made.bytes), "missing": .array(made.missing.map { .string($0) }),
                    ]
                ],
                "Backed up to \(made.path): events up to position \(made.position), \(Words.count(made.media, "original")), \(Words.bytes(made.bytes))."
                    + (made.missing.isEmpty
                        ? "" : "\nMISSING in the ledger itself: \(made.missing.joined(separator: ", ")). Run audit verify."))
            return made.missing.isEmpty ? .done : .refused
        })

    static let restore = Verb(
        path: ["restore"], summary: "Make a ledger from a backup; who was erased since stays erased.",
        positionals: [Positional("FILE", "the backup"), Positional("DIR", "a folder that does not exist yet")],
        options: [
            .value("tombstones", "FILE", "what remembers the erasures; else the one that the backup's settings name"),
            .value("master-key", "KEY", "FILE, credential:NAME or command:C; else as the backup's settings say"),
        ],
        examples: ["capture-ledger restore /backup/kiosk.backup /var/lib/kiosk/my.ledger"],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput, .notPermitted],
        run: { invocation, console in
            var options = RestoreOptions()
            options.environment = invocation.environment
            options.tombstones = invocation.text("tombstones")
            if let text = invocation.text("master-key") {
                guard let reference = MasterKeyReference(text) else {
                    throw Complaint.usage("--master-key names no key.", remedy: "Give a path, credential:NAME or command:C.")
                }
                options.masterKey = reference
            }
            let made = try Ledger.restore(from: invocation[0], to: invocation[1], options: options)
            try console.result(
                [
                    "restored": [
                        "path": .string(made.folder), "ledger_id": .string(made.ledgerID.text),
                        "epoch": .string(made.epoch.text),
                        "position": .integer(made.position), "media": .whole(made.media), "evidence": .whole(made.evidence),
                        "tombstones": .whole(made.tombstones), "erased_again": .whole(made.erasedAgain),
                    ]
                ],
                "Restored to \(made.folder): events up to position \(made.position), \(Words.count(made.media, "original")). Erased again: \(made.erasedAgain)."
            )
            return .done
        })

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
