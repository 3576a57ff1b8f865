import Audit
import CaptureLedger
import SessionDomain
import SystemCalls

extension Verb {
    static let auditExport = Verb(
        path: ["audit", "export"], summary: "Write all that is held about a session, with its proofs, into one file.",
        details:
            "An archive that tar opens: events, originals and pages, findings, requests and answers, a signed checkpoint with the path of each event to it, and report.html for people. That it was made is recorded. An erased session gives what is left of it.",
        positionals: [Positional("SESSION", "the session's id")],
        options: [
            .value("out", "FILE", "a file that does not exist yet; only this user may read it"),
            .flag(
                "redacted", "nothing personal: no media, private halves, requests or answers; digests, findings and proofs stay"
            ),
        ],
        examples: [
            "capture-ledger audit export 0193… --out 0193.evidence",
            "capture-ledger audit export 0193… --redacted --out 0193.redacted.evidence",
        ],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput, .notPermitted],
        run: { invocation, console in
            let id = try invocation.sessionID()
            guard let path = invocation.text("out") else {
                throw Complaint.usage("--out is missing.", remedy: "Name a new file with --out FILE.")
            }
            var options = EvidenceExportOptions()
            options.isRedacted = invocation.has("redacted")
            let made = try invocation.openLedger().exportEvidence(of: id, to: path, options: options)
            try console.result(made.json, made.words)
            return made.verdict.isSound ? .done : .refused
        })

    static let auditVerifyExport = Verb(
        path: ["audit", "verify-export"], summary: "Check an exported file by itself: no ledger, no key of its, no network.",
        details:
            "Every digest, what is shown of each event against its stored bytes, media and private halves against what the events commit to, and the events against the signed checkpoint. Ends with 65 when something is wrong.",
        positionals: [Positional("FILE", "what audit export wrote")],
        options: [
            .value("key", "PUBLICKEY", "the ledger's key as its owner published it, NAME+HASH+KEY, or a file that holds it")
        ],
        examples: [
            "capture-ledger audit verify-export 0193.evidence",
            "capture-ledger audit verify-export 0193.evidence --key ledger.key --json",
        ],
        exits: [.refused, .notFound, .inputOutput],
        run: { invocation, console in
            let file: FileDescriptor
            do throws(SystemError) { file = try FileDescriptor(readingFile: invocation[0]) } catch {
                throw Complaint(
                    error.code == .notFound ? "no_such_file" : error.code.rawValue,
                    "The file cannot be read: \(error.message).", remedy: error.remedy,
                    exit: error.code == .permissionDenied ? .notPermitted : .notFound)
            }
            let verdict = EvidenceVerifier.verify(file, trusting: try key(invocation.text("key")))
            try console.result(verdict.json, verdict.words)
            return verdict.isSound ? .done : .refused
        })

    private static func key(_ text: String?) throws -> NoteKey? {
        guard var text else { return nil }
        if let file = try? FileDescriptor(readingFile: text), let bytes = try? file.readToEnd(limit: 4096) {
            text = String(decoding: bytes, as: UTF8.self)
        }
        do throws(AuditError) { return try NoteKey(parsing: text) } catch {
            throw Complaint(error.code.rawValue, error.message, remedy: error.remedy, exit: .usage)
        }
    }
}

extension EvidenceExportReport {
    var json: JSONValue {
        [
            "export": [
                "path": .string(path), "session_id": .string(session.text), "bytes": .integer(bytes),
                "redacted": .bool(verdict.isRedacted), "events": .whole(verdict.events),
                "media": .whole(verdict.committedMedia),
                "answers": .whole(verdict.answers), "tree_size": .whole(verdict.treeSize), "key": .text(verdict.key),
                "left_out": .array(leftOut.map { ["entry": .string($0.entry), "why": .string($0.why)] }),
                "problems": .array(verdict.problems.map(\.json)),
            ]
        ]
    }

    var words: String {
        let left = leftOut.map { "  \($0.entry): \($0.why)" }
        let lines = [
            "Exported to \(path): \(Words.count(verdict.events, "event")), \(Words.count(verdict.committedMedia, "picture or video", "pictures and videos")), \(Words.count(verdict.answers, "answer")), \(Words.bytes(bytes)). That it was made is recorded.",
            "Check it with: capture-ledger audit verify-export \(path) --key KEY",
        ]
        return
            (lines + (left.isEmpty ? [] : ["Not in it:"] + left)
            + (verdict.isSound ? [] : ["NOT sound:"] + verdict.problems.map(\.line))).joined(separator: "\n")
    }
}

extension EvidenceProblem {
    var json: JSONValue {
        (["code": .string(code.rawValue), "message": .string(message)] as JSONValue)
            .adding("entry", entry.map { .string($0) }).adding("position", position.map { .integer($0) })
    }

    var line: String {
        "  \(code.rawValue)\(position.map { " at position \($0)" } ?? "")\(entry.map { " in \($0)" } ?? ""): \(message)"
    }
}

extension EvidenceVerdict {
    var json: JSONValue {
        [
            "ok": .bool(isSound), "session_id": .text(session?.text), "ledger_id": .text(ledger?.text),
            "redacted": .bool(isRedacted), "erased": .bool(isErased), "exported_at_ms": .whole(exportedAtMilliseconds),
            "entries": .whole(entries), "events": .whole(events), "proven_events": .whole(provenEvents),
            "media": .whole(committedMedia), "opened_private_halves": .whole(openedPrivateHalves),
            "attempts": .whole(attempts), "proven_attempts": .whole(provenAttempts), "answers": .whole(answers),
            "left_out": .whole(leftOut), "tree_size": .whole(treeSize), "root": .text(root),
            "signed_at_ms": .whole(signedAtMilliseconds), "key": .text(key), "key_trusted": .bool(isKeyTrusted),
            "manifest_signed": .bool(isManifestSigned), "problem_count": .whole(problemCount),
            "problems": .array(problems.map(\.json)),
        ]
    }

    var words: String {
        let looked =
            "\(Words.count(provenEvents, "event")) of \(events) under the signed tree, \(Words.count(committedMedia, "picture or video", "pictures and videos")), \(Words.count(answers, "answer")), \(Words.count(openedPrivateHalves, "private half", "private halves"))"
        guard isSound else {
            return "NOT sound: \(Words.count(problemCount, "problem")) in \(looked).\n"
                + problems.map(\.line).joined(separator: "\n")
        }
        var lines = ["Sound: \(looked)."]
        if isRedacted { lines.append("It is redacted: nothing personal is in it.") }
        if isErased { lines.append("The session is erased: what was personal is gone.") }
        if leftOut > 0 { lines.append("\(Words.count(leftOut, "file")) left out; left-out.jsonl says why.") }
        lines.append(
            isKeyTrusted
                ? "The checkpoint is signed by the key that you gave."
                : "The checkpoint is signed by the key below. Compare it with the one that the ledger's owner published; give it with --key.\n  \(key ?? "")"
        )
        return lines.joined(separator: "\n")
    }
}
