import Audit
import CaptureLedger
import SessionDomain
import SystemCalls

extension Verb {
    static let auditCheckpoint = Verb(
        path: ["audit", "checkpoint"],
        summary: "Sign what the log is now, to be kept where nobody who owns this machine can change it.",
        details: """
            The first checkpoint makes the key. Nothing is signed that contradicts what was signed before, and a log without a new \
            event gives the last checkpoint again.
            """,
        options: [
            .value("out", "FILE", "put the checkpoint there, in place of an older one"),
            .flag("new-key", "sign with a new key from now on, which the one in use endorses"),
            .flag("from-events", "compute from every event and from no stored node of the tree"),
        ], writes: true, meansSession: false,
        examples: [
            "capture-ledger audit checkpoint --out /mnt/elsewhere/kiosk.checkpoint",
            "capture-ledger audit checkpoint --new-key",
        ],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput, .notPermitted],
        run: { invocation, console in
            var options = CheckpointOptions()
            options.makesNewKey = invocation.has("new-key")
            options.trustsTiles = !invocation.has("from-events")
            options.commandID = try invocation.commandID()
            let made = try invocation.openLedger().makeCheckpoint(options)
            let path = invocation.text("out")
            if let path { try OutputFile.replace(path, Array(made.note.utf8)) }
            try console.result(
                (["checkpoint": made.json] as JSONValue).adding("out", path.map { .string($0) }), made.words(writtenTo: path))
            return .done
        })
}

extension MadeCheckpoint {
    var json: JSONValue {
        let checkpoint = signed.checkpoint
        return
            ([
                "origin": .string(checkpoint.origin), "tree_size": .integer(checkpoint.treeSize),
                "root": .string(checkpoint.root.hex), "epoch": .text(checkpoint.epoch?.text),
                "signed_at_ms": .whole(checkpoint.signedAtMilliseconds), "generation": .integer(generation),
                "key": .string(key.text), "note": .string(note), "new": .bool(isNew),
            ] as JSONValue).adding("key_position", keyPosition.map { .integer($0) })
    }

    fileprivate func words(writtenTo path: String?) -> String {
        var lines = [
            isNew
                ? "Signed: the first \(Words.count(Int(treeSize), "event")) of this ledger."
                : "Nothing was appended since: this is the checkpoint that was signed before.",
            "Verifier's key, to be kept apart from this machine: \(key.text)",
        ]
        if keyPosition != nil { lines.append("The key is new (generation \(generation)).") }
        if let path {
            lines.append("Written to \(path).")
        } else {
            lines += ["", note]
        }
        return lines.joined(separator: "\n")
    }
}

/// A file that a verb writes for somebody else.
enum OutputFile {
    /// A reader sees the old file or the new one.
    static func replace(_ path: String, _ bytes: [UInt8]) throws(Complaint) {
        do throws(SystemError) {
            try FileSystem.replace(path, with: bytes, mode: 0o644, isDurable: true)
        } catch {
            throw Complaint(
                error.code.rawValue, "The file could not be written: \(error.message).", remedy: error.remedy,
                exit: error.code == .notFound ? .cannotCreate : error.code == .permissionDenied ? .notPermitted : .inputOutput)
        }
    }
}
