import CaptureLedger
import SessionDomain

extension Verb {
    static let export = Verb(
        path: ["export"], summary: "Write the ledger's log as lines of JSON, to be imported elsewhere.",
        details:
            "Ids, times, positions, commits, receipts, sealed halves and wrapped keys stay as they are stored, so that chain, proofs and repeated commands are the same there. Originals and answers are not in it: those are in a backup. docs/storage-format.md describes the lines.",
        positionals: [Positional("FILE", "a file that does not exist yet")],
        examples: ["capture-ledger export /transfer/kiosk.rows"],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput, .notPermitted],
        run: { invocation, console in
            let made = try invocation.openForReading().export(to: invocation[0])
            try console.result(
                [
                    "export": [
                        "path": .string(made.path), "ledger_id": .string(made.ledgerID.text),
                        "position": .integer(made.position), "rows": .integer(made.rows), "bytes": .integer(made.bytes),
                    ]
                ],
                "Exported to \(made.path): events up to position \(made.position), \(Words.count(Int(made.rows), "row")), \(Words.bytes(made.bytes)). Originals are not in it."
            )
            return .done
        })

    static let importing = Verb(
        path: ["import"], summary: "Make a ledger from an export; who was erased since stays erased.",
        details:
            "The folder gets its name when everything was compared: a file that is damaged, cut short, out of order or made up leaves nothing behind. The ledger has an epoch of its own; where the old one goes on too, both deliver under the same keys.",
        positionals: [Positional("FILE", "the export"), Positional("DIR", "a folder that does not exist yet")],
        options: [
            .value("tombstones", "FILE", "what remembers the erasures; else the one that the export's settings name"),
            .value("master-key", "KEY", "FILE, credential:NAME or command:C; else as the export's settings say"),
        ],
        examples: ["capture-ledger import /transfer/kiosk.rows /var/lib/kiosk/my.ledger --master-key /etc/kiosk/master.key"],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput, .notPermitted],
        run: { invocation, console in
            let made = try Ledger.importRows(
                from: invocation[0], to: invocation[1], options: try restoreOptions(invocation))
            try console.result(
                [
                    "imported": [
                        "path": .string(made.folder), "ledger_id": .string(made.ledgerID.text),
                        "epoch": .string(made.epoch.text), "position": .integer(made.position), "rows": .integer(made.rows),
                        "tombstones": .whole(made.tombstones), "erased_again": .whole(made.erasedAgain),
                    ]
                ],
                "Imported to \(made.folder): events up to position \(made.position), \(Words.count(Int(made.rows), "row")). Erased again: \(made.erasedAgain). Its originals lie elsewhere."
            )
            return .done
        })
}
