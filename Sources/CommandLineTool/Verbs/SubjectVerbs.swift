import CaptureLedger
import SessionDomain
import SystemCalls

extension Verb {
    static let subjectReport = Verb(
        path: ["subject", "report"], summary: "Say what is held about a person, and who received it.",
        details: """
            Over all sessions with that subject reference: pictures and videos, what was measured, what was said and answered, who received \
            what. It opens what is sealed; that it was made is noted in access.jsonl. With --session it says what remains of a session that \
            was erased, which no reference leads to any more.
            """,
        positionals: [Positional("REF", "the subject reference of session start", .optional)],
        options: [
            .value("session", "ID", "one session in place of REF"),
            .flag("html", "a page in place of words; needs --out"),
            .value("out", "FILE", "a new file for the page, readable by its owner alone"),
        ],
        examples: [
            "capture-ledger subject report customer-4711",
            "capture-ledger subject report customer-4711 --html --out customer-4711.html",
            "capture-ledger subject report --session 0193… --json",
        ],
        exits: [.notFound, .cannotCreate, .inputOutput, .notPermitted],
        run: { invocation, console in
            let session = try invocation.session("session")
            guard (invocation.word(0) == nil) != (session == nil) else {
                throw Complaint.usage(
                    "subject report needs REF, or --session.",
                    remedy: "Give the reference that session start --subject was given.")
            }
            guard invocation.has("html") == invocation.has("out") else {
                throw Complaint.usage("--html and --out go together.", remedy: "Give both, or none of them.")
            }
            let ledger = try invocation.openForReading()
            let report = try session.map { try ledger.subjectReport(session: $0) } ?? ledger.subjectReport(invocation[0])
            guard let path = invocation.text("out") else {
                try console.result(report.json, report.words)
                return .done
            }
            let bytes = Array(report.page.utf8)
            try write(bytes, to: path)
            try console.result(
                [
                    "subject": .text(report.reference), "path": .string(path), "bytes": .whole(bytes.count),
                    "sessions": .array(report.parts.map { .string($0.view.session.text) }),
                ], "Wrote \(path): \(Words.count(report.parts.count, "session")). It holds personal data.")
            return .done
        })

    private static func write(_ bytes: [UInt8], to path: String) throws(Complaint) {
        do throws(SystemError) {
            let file = try FileDescriptor(opening: path, .createNew, mode: 0o600)
            try file.write(bytes)
            try file.synchronize()
        } catch {
            throw Complaint(
                error.code.rawValue, "The page could not be written to that file: \(error.message).", remedy: error.remedy,
                exit: error.code == .alreadyExists || error.code == .notFound ? .cannotCreate : .inputOutput)
        }
    }
}
