import Audit
import CaptureLedger
import SessionDomain
import SystemCalls

extension Verb {
    static let auditVerify = Verb(
        path: ["audit", "verify"], summary: "Recompute everything the ledger promises about its stored bytes.",
        details: """
            Positions, versions, commits, the chain over them, the tree with its checkpoints, and every original, attempt, answer and \
            key. Ends with 65 when something is wrong. A checkpoint that was kept elsewhere also shows what was cut off at the end.
            """,
        options: [
            .value("checkpoint", "FILE", "hold the log against this checkpoint too", repeatable: true),
            .value(
                "key", "KEY", "trust this verifier's key (or the file that holds it) and those after it, not the ledger's word"),
            .value(
                "witness-key", "KEY",
                "check what the witness signed with this key, or the file that holds it (audit.witness.key)"),
            .flag("log-only", "look at the log alone: no media, no evidence, no keys"),
        ],
        examples: [
            "capture-ledger audit verify",
            "capture-ledger audit verify --checkpoint /mnt/elsewhere/kiosk.checkpoint --key /mnt/elsewhere/kiosk.key",
        ],
        exits: [.refused, .notFound, .inputOutput],
        run: { invocation, console in
            var options = AuditOptions()
            options.checksContent = !invocation.has("log-only")
            options.checkpoints = try invocation.texts("checkpoint").map { try InputFile.text($0, limit: 64 << 10) }
            options.key = try invocation.text("key").map { try NoteKey(argument: $0) }
            options.cosigner = try invocation.text("witness-key").map { try CosignerKey(argument: $0) }
            let report = try invocation.openForReading().verify(options)
            try console.result(report.json, report.words)
            return report.isSound ? .done : .refused
        })

    static let mediaOpen = Verb(
        path: ["media", "open"], summary: "Give out an original, byte for byte; that it was opened is recorded.",
        positionals: [Positional("CAPTURE", "the capture's id")],
        options: [
            .value("out", "FILE", "a new file; else standard output, which --json does not allow"),
            .flag("crop", "the page that was cut out when the capture passed its checks, instead of the original"),
        ],
        examples: [
            "capture-ledger media open 0193… --out front.jpg", "capture-ledger media open 0193… --crop --out page.jpg",
        ],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput, .notPermitted],
        run: { invocation, console in
            guard let id = CaptureID(invocation[0]) else {
                throw Complaint.usage("CAPTURE is not a capture's id.", remedy: "Copy it from session show or timeline.")
            }
            guard let path = invocation.text("out") else {
                if console.isJSON {
                    throw Complaint.usage("--json needs --out.", remedy: "Name a new file with --out FILE.")
                }
                try copy(try opened(id, invocation)) { try console.bytes($0) }
                return .done
            }
            let media = try opened(id, invocation)
            do throws(SystemError) {
                let file = try FileDescriptor(opening: path, .createNew)
                do {
                    try copy(media) { try file.write($0) }
                    try file.synchronize()
                } catch {
                    _ = try? FileSystem.remove(path)
                    throw (error as? SystemError) ?? SystemError(.inputOutput, call: "read")
                }
            } catch {
                throw Complaint(
                    error.code.rawValue, "The original could not be written to that file: \(error.message).",
                    remedy: error.remedy,
                    exit: error.code == .alreadyExists || error.code == .notFound ? .cannotCreate : .inputOutput)
            }
            try console.result(
                [
                    "capture_id": .string(id.text), "session_id": .string(media.session.text), "path": .string(path),
                    "bytes": .integer(media.byteCount),
                ], "Wrote \(Words.bytes(media.byteCount)) to \(path). That it was opened is recorded.")
            return .done
        })

    private static func opened(_ id: CaptureID, _ invocation: Invocation) throws -> OpenedMedia {
        let ledger = try invocation.openLedger()
        return invocation.has("crop") ? try ledger.openCrop(id) : try ledger.openMedia(id)
    }

    private static func copy(_ media: OpenedMedia, to write: ([UInt8]) throws -> Void) throws {
        var offset: Int64 = 0
        while offset < media.byteCount {
            let chunk = try media.read(at: offset, limit: 1 << 20)
            if chunk.isEmpty { break }
            try write(Array(chunk))
            offset += Int64(chunk.count)
        }
    }
}

extension VerificationReport {
    var json: JSONValue {
        [
            "ok": .bool(isSound), "events": .integer(events), "commits": .integer(commits), "media": .integer(media),
            "opened_media": .integer(openedMedia), "opened_private_halves": .integer(openedPrivateHalves),
            "attempts": .integer(attempts), "evidence": .integer(evidence), "checkpoints": .integer(checkpoints),
            "tree_nodes": .integer(treeNodes), "proven_through": .integer(provenThrough),
            "sealed_elsewhere": .integer(sealedElsewhere), "cosignatures": .integer(cosignatures),
            "cosignatures_unverified": .integer(unverifiedCosignatures),
            "problem_count": .whole(problemCount),
            "problems": .array(
                problems.map { problem -> JSONValue in
                    (["code": .string(problem.code.rawValue), "message": .string(problem.message)] as JSONValue)
                        .adding("position", problem.position.map { .integer($0) })
                }),
        ]
    }

    private var witnessed: String {
        let kept =
            unverifiedCosignatures == 0
            ? ""
            : "\n\(Words.count(Int(unverifiedCosignatures), "signature")) of a witness are kept, not verified: give its key with --witness-key."
        return
            (cosignatures == 0
            ? "" : "\nThe witness's signature was verified on \(Words.count(Int(cosignatures), "checkpoint")).")
            + kept
    }

    var words: String {
        let looked =
            "\(Words.count(Int(events), "event")) in \(Words.count(Int(commits), "commit")), \(Words.count(Int(media), "original"))"
        let signed =
            checkpoints == 0
            ? "No checkpoint: nothing shows what may have been cut off at the end."
            : "Signed through position \(provenThrough), in \(Words.count(Int(checkpoints), "checkpoint"))."
        let elsewhere =
            sealedElsewhere == 0
            ? "" : "\n\(Words.count(Int(sealedElsewhere), "sealed file")) lie elsewhere, as the import noted."
        if isSound { return "Sound: \(looked).\n\(signed)\(witnessed)\(elsewhere)" }
        let rows = problems.map { [$0.position.map { "position \($0)" } ?? "", $0.code.rawValue, $0.message] }
        return "NOT sound: \(Words.count(problemCount, "problem")) in \(looked).\n" + Words.table(rows)
    }
}

extension NoteKey {
    /// The key itself, or the path of a file that holds it.
    init(argument: String) throws(Complaint) {
        self = try Complaint.about(argument) { (text) throws(AuditError) in try NoteKey(parsing: text) }
    }
}

extension CosignerKey {
    /// The key itself, or the path of a file that holds it.
    fileprivate init(argument: String) throws(Complaint) {
        self = try Complaint.about(argument) { (text) throws(AuditError) in try CosignerKey(parsing: text) }
    }
}

extension Complaint {
    /// Reads a key that was given, or the file that holds it.
    fileprivate static func about<Key>(
        _ argument: String, _ parse: (String) throws(AuditError) -> Key
    ) throws(Complaint) -> Key {
        let text = try argument.contains("+") ? argument : InputFile.text(argument, limit: 4096)
        do throws(AuditError) { return try parse(text) } catch {
            throw Complaint(error.code.rawValue, error.message, remedy: error.remedy, exit: .refused)
        }
    }
}
