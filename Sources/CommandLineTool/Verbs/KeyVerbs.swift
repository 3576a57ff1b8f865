import CaptureLedger
import SessionDomain

extension Verb {
    static let keyRotate = Verb(
        path: ["key", "rotate"], summary: "Wrap every key of the ledger under another master key.",
        details: """
            A file that is not there yet is made. The settings name both keys while it goes on and the new one afterwards; run it again \
            after an interruption. Services that have the ledger open must be restarted. Keep the old key as long as there are backups \
            from before: they open with nothing else.
            """,
        options: [.value("to", "KEY", "FILE, credential:NAME or command:C")], writes: true, meansSession: false,
        examples: [
            "capture-ledger key rotate --to /etc/capture-ledger/master-2027.key",
            "capture-ledger key rotate --to credential:capture-ledger",
        ], exits: [.refused, .notFound, .cannotCreate, .inputOutput, .workLeft, .notPermitted],
        run: { invocation, console in
            guard let text = invocation.text("to") else {
                throw Complaint.usage("No key was named.", remedy: "Give --to FILE, --to credential:NAME or --to command:C.")
            }
            guard let reference = MasterKeyReference(text) else {
                throw Complaint.usage("--to names no key.", remedy: "Give a path, credential:NAME or command:C.")
            }
            let options = try invocation.commandOptions()
            let done = try invocation.openLedger().rotateMasterKey(to: reference, options)
            try console.result(
                [
                    "rotation": [
                        "master_key": .string(done.masterKey.text), "generation": .whole(done.generation),
                        "keys": .whole(done.keys), "changed": .bool(done.hasChanged), "settings_tidy": .bool(done.isTidy),
                    ], "receipt": done.receipt.json,
                ],
                [
                    done.hasChanged
                        ? "Rotated: \(Words.count(done.keys, "key")) are wrapped under \(done.masterKey.text), and the settings name it. Keep the old key with the backups from before."
                        : "The keys are wrapped under \(done.masterKey.text); nothing was left to do.",
                    done.isTidy ? nil : "Take previous_master_key out of the settings yourself.",
                ].compactMap { $0 }.joined(separator: "\n"))
            return .done
        })
}
