import CaptureLedger
import MediaChecks
import SessionDomain
import SystemCalls

extension Verb {
    static let check = Verb(
        path: ["check"],
        summary: "Check a file without a ledger, or with --pending everything in the ledger that waits for it.",
        details: """
            With FILE and --piece it says what the checks find in a picture or video, and ends with 65 where they fail it; nothing is \
            stored. With --pending it judges captures that a crash left unchecked, whose scanner was not ready, or of sessions with \
            deferred checks, and ends with 75 while some are left.
            """,
        positionals: [Positional("FILE", "the photo, page or video", .optional)],
        options: [
            .value("piece", "PIECE", "what FILE is to be: passport_front, passport_back, selfie or hologram"),
            .choice(
                "source", CaptureSource.allCases.map(\.rawValue),
                "where it came from (file): uploads and the camera have rules of their own"),
            .value("policy", "FILE", "the rules; else the ledger's or the standard ones"),
            .value("annotate", "OUT.png", "a new file for the picture with boxes and verdicts drawn on it"),
            .flag("pending", "judge what waits in the ledger"),
            .value("limit", "N", "with --pending: judge at most so many"),
        ],
        examples: [
            "capture-ledger check front.jpg --piece passport_front",
            "capture-ledger check front.jpg --piece passport_front --annotate seen.png",
            "capture-ledger check --pending --limit 100",
        ],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput, .workLeft, .notPermitted],
        run: { invocation, console in
            let isPending = invocation.has("pending")
            guard let path = invocation.word(0) else {
                guard isPending else {
                    throw Complaint.usage(
                        "check needs a file, or --pending.", remedy: "Name a picture and its --piece, or add --pending.")
                }
                return try pending(invocation, console)
            }
            if isPending {
                throw Complaint.usage("check was given a file and --pending.", remedy: "Keep one of them.")
            }
            guard let name = invocation.text("piece") else {
                throw Complaint.usage(
                    "check FILE needs --piece.", remedy: "Say what the file is to be, such as --piece passport_front.")
            }
            return try file(path, try invocation.piece(name), invocation, console)
        })

    private static func pending(_ invocation: Invocation, _ console: Console) throws -> ExitCode {
        for option in ["piece", "source", "policy", "annotate"] where invocation.has(option) {
            throw Complaint.usage("--\(option) is for a file, not for --pending.", remedy: "Leave it out.")
        }
        let limit = try invocation.integer("limit", in: 1...Int64.max).map { Int(clamping: $0) } ?? .max
        let done = try invocation.openLedger().judgePending(limit: limit)
        try console.result(done.json, done.words)
        return done.left > 0 ? .workLeft : .done
    }

    private static func file(
        _ path: String, _ piece: Piece, _ invocation: Invocation, _ console: Console
    ) throws -> ExitCode {
        let source = invocation.text("source").flatMap { CaptureSource(rawValue: $0) } ?? .file
        let bench = try CheckBench(invocation)
        let question = CheckQuestion(piece: piece, source: source)
        // a video of no session: everything is measured, and nothing is asked of it
        var hologram = HologramSettings()
        hologram.hologramControlEnabled = true
        let seen = try bench.tools.look(at: path, question, hologram: hologram, limits: bench.limits)
        if let obstacle = seen.obstacle, seen.failure == nil { throw LedgerError(obstacle) }
        if let target = invocation.text("annotate") { try annotate(path, seen, piece, target, bench) }
        try console.result(seen.json, seen.words(piece))
        return seen.failure == nil ? .done : .refused
    }

    private static func annotate(
        _ path: String, _ seen: SeenFile, _ piece: Piece, _ target: String, _ bench: CheckBench
    ) throws {
        guard piece != .hologram else {
            throw Complaint.usage("A video cannot be drawn on.", remedy: "Leave --annotate out.")
        }
        // what cannot be decoded cannot be drawn on
        guard let media = seen.media, let judgement = seen.judgement, judgement.fault?.blamesCapture != true else { return }
        let png = try bench.tools.annotated(path, media, judgement.report)
        do throws(SystemError) {
            let file = try FileDescriptor(opening: target, .createNew)
            try file.write(png)
        } catch {
            throw Complaint(
                error.code.rawValue, "The drawing could not be written to that file: \(error.message).", remedy: error.remedy,
                exit: error.code == .alreadyExists || error.code == .notFound ? .cannotCreate : .inputOutput)
        }
    }
}

extension PendingChecks {
    var json: JSONValue {
        let object: JSONValue = [
            "checked": .whole(judged.count), "passed": .whole(passed), "failed": .whole(failed), "left": .whole(left),
            "captures": .array(
                judged.map { item in
                    [
                        "session_id": .string(item.session.text), "piece": .string(item.piece.rawValue),
                        "capture_id": .string(item.capture.text), "failure": .text(item.check.failure?.rawValue),
                        "findings": item.check.findings.json,
                    ]
                }),
            "broken": .array(
                broken.map {
                    [
                        "capture_id": .string($0.capture.text), "code": .string($0.error.code.rawValue),
                        "message": .string($0.error.message), "remedy": .string($0.error.remedy),
                    ]
                }),
        ]
        return object.adding("obstacle", obstacle?.json)
    }

    var words: String {
        var lines = judged.map { item in
            "\(item.session.text) \(item.piece.rawValue): \(item.check.failure.map { Words.plain($0.rawValue) } ?? "passed")"
        }
        lines += broken.map { "\($0.capture.text): \($0.error.message) \($0.error.remedy)" }
        if let obstacle { lines.append("The checks cannot run. \(obstacle.words)") }
        if judged.isEmpty, left == 0 { return "Nothing waits for a check." }
        lines.append("\(passed) passed, \(failed) failed, \(Words.count(left, "capture")) left.")
        return lines.joined(separator: "\n")
    }
}
