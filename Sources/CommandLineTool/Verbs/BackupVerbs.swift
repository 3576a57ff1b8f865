import CaptureLedger
import SessionDomain

extension Verb {
    static let backup = Verb(
        path: ["backup"], summary: "Write one verified backup file while the ledger is in use.",
        details:
            "With --since only what came behind an earlier backup, whole or an increment itself: restore takes them in their order. The master key and the tombstone file are in none of them.",
        positionals: [Positional("FILE", "a file that does not exist yet")],
        options: [
            .value("since", "EARLIER", "only what came behind this backup"),
            .value("after-position", "N", "the same, where the earlier one ended at this position"),
        ],
        examples: [
            "capture-ledger backup /backup/kiosk-2026-11-30.backup",
            "capture-ledger backup /backup/kiosk-2026-12-01.increment --since /backup/kiosk-2026-11-30.backup",
        ],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput, .notPermitted],
        run: { invocation, console in
            let position = try invocation.integer("after-position", in: 1...Int64.max)
            let base = invocation.text("since").map { BackupBase.backup($0) } ?? position.map { .position($0) }
            if position != nil, invocation.has("since") {
                throw Complaint.usage("--since and --after-position were both given.", remedy: "Keep one of them.")
            }
            let ledger = try invocation.openLedger()
            let made = try base.map { try ledger.backup(to: invocation[0], since: $0) } ?? ledger.backup(to: invocation[0])
            try console.result(["backup": made.json], made.words)
            return made.missing.isEmpty ? .done : .refused
        })

    static let restore = Verb(
        path: ["restore"], summary: "Make a ledger from a backup; who was erased since stays erased.",
        details:
            "Everything is compared before the folder gets its name. With --drill it goes into a temporary folder (under TMPDIR), is verified down to every original, and is removed: 65 when something is wrong with it.",
        positionals: [
            Positional("FILE", "the whole backup"),
            Positional("DIR", "a folder that does not exist yet; not with --drill", .optional),
        ],
        options: [
            .value("increment", "FILE", "what came behind it; oldest first", repeatable: true),
            .flag("drill", "see whether it can be restored, and leave nothing behind"),
            .value("tombstones", "FILE", "what remembers the erasures; else the one that the backup's settings name"),
            .value("master-key", "KEY", "FILE, credential:NAME or command:C; else as the backup's settings say"),
        ],
        examples: [
            "capture-ledger restore /backup/kiosk.backup /var/lib/kiosk/my.ledger",
            "capture-ledger restore /backup/sunday.backup my.ledger --increment /backup/monday.increment --increment /backup/tuesday.increment",
            "capture-ledger restore /backup/kiosk.backup --drill",
        ],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput, .notPermitted],
        run: { invocation, console in
            let options = try restoreOptions(invocation)
            if invocation.has("drill") {
                guard invocation.word(1) == nil else {
                    throw Complaint.usage("A drill leaves nothing behind.", remedy: "Leave DIR out, or --drill.")
                }
                let drill = try Ledger.drill(invocation[0], options: options)
                try console.result(["drill": drill.json], drill.words)
                return drill.isGood ? .done : .refused
            }
            guard let folder = invocation.word(1) else {
                throw Complaint.usage("DIR is missing.", remedy: "Name a new folder, or give --drill.")
            }
            let made = try Ledger.restore(from: invocation[0], to: folder, options: options)
            try console.result(["restored": made.json], "Restored to \(made.folder): \(made.words)")
            return .done
        })

    static func restoreOptions(_ invocation: Invocation) throws(Complaint) -> RestoreOptions {
        var options = RestoreOptions()
        options.environment = invocation.environment
        options.tombstones = invocation.text("tombstones")
        options.increments = invocation.texts("increment")
        if let text = invocation.text("master-key") {
            guard let reference = MasterKeyReference(text) else {
                throw .usage("--master-key names no key.", remedy: "Give a path, credential:NAME or command:C.")
            }
            options.masterKey = reference
        }
        return options
    }
}

extension BackupReport {
    var json: JSONValue {
        let object: JSONValue = [
            "path": .string(path), "ledger_id": .string(ledgerID.text), "epoch": .string(epoch.text),
            "position": .integer(position), "media": .whole(media), "evidence": .whole(evidence), "bytes": .integer(bytes),
            "missing": .array(missing.map { .string($0) }),
        ]
        return object.adding("after_position", afterPosition.map { .integer($0) })
    }

    var words: String {
        let events =
            afterPosition.map { "events behind position \($0) up to \(position)" } ?? "events up to position \(position)"
        let lost = "\nMISSING in the ledger itself: \(missing.joined(separator: ", ")). Run audit verify."
        return "Backed up to \(path): \(events), \(Words.count(media, "original")), \(Words.bytes(bytes))."
            + (missing.isEmpty ? "" : lost)
    }
}

extension RestoreReport {
    var json: JSONValue {
        [
            "path": .string(folder), "ledger_id": .string(ledgerID.text), "epoch": .string(epoch.text),
            "position": .integer(position), "media": .whole(media), "evidence": .whole(evidence),
            "tombstones": .whole(tombstones), "erased_again": .whole(erasedAgain),
        ]
    }

    var words: String {
        "events up to position \(position), \(Words.count(media, "original")). Erased again: \(erasedAgain)."
    }
}

extension DrillReport {
    var json: JSONValue {
        let object: JSONValue = [
            "ok": .bool(isGood), "seconds": .double(seconds), "rebuilt_same": .bool(rebuiltSame), "verified": verification.json,
        ]
        return object.adding("restored", restored.json.replacing("path", .null))
    }

    var words: String {
        let rebuilt = rebuiltSame ? "The rebuilt tables are the same." : "The rebuilt tables are NOT the same."
        let opened = "\(Words.count(Int(verification.openedMedia), "original")) opened."
        return
            "\(isGood ? "Good" : "NOT good"): restored and verified in \(Words.duration(Int64(seconds * 1_000))), \(restored.words)\n\(verification.words)\n\(opened) \(rebuilt) Nothing was left behind."
    }
}
