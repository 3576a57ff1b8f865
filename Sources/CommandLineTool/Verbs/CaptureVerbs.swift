import CaptureLedger
import SessionDomain

extension Verb {
    static let capture = Verb(
        path: ["capture"], summary: "Take in the media of one piece: sealed and durable before it answers.",
        details: """
            A file that cannot be taken in is recorded as refused, counts no attempt, and ends with 65. Where the session requires \
            checks, it is checked before this answers: one that fails is kept, never sent, and ends with 65 too; one whose checks \
            could not run ends with 75, and check --pending goes on.
            """,
        positionals: [
            Positional("ID", "the session's id"), Positional("PIECE", "passport_front, passport_back, selfie or hologram"),
            Positional("FILE", "the photo, page or video"),
        ],
        options: [
            .choice("source", CaptureSource.allCases.map(\.rawValue), "where it came from (camera)"),
            .flag(
                "no-confirm",
                "leave it to a later confirm; without it the capture is confirmed at once, or when its checks pass"),
            .value("rotate", "DEGREES", "how the video is to be turned, as the client says"),
            .flag("consume", "remove FILE once its event is durable"),
            .value("type", "TYPE", "what the client says the media type is; the bytes decide"),
        ],
        writes: true,
        examples: [
            "capture-ledger capture 0193… passport_front front.jpg --command-id scan-1",
            "capture-ledger capture 0193… hologram card.mp4 --rotate 90 --consume --json",
        ],
        exits: [.refused, .notFound, .inputOutput, .workLeft, .notPermitted],
        run: { invocation, console in
            var request = CaptureRequest(
                session: try invocation.sessionID(), piece: try invocation.piece(invocation[1]), path: invocation[2],
                source: invocation.text("source").flatMap { CaptureSource(rawValue: $0) } ?? .camera)
            request.options = try invocation.commandOptions()
            request.rotation = try invocation.integer("rotate", in: -360...360).map { Int($0) }
            request.consumesFile = invocation.has("consume")
            request.declaredType = invocation.text("type")
            request.confirm = !invocation.has("no-confirm")
            let ledger = try invocation.openLedger()
            let done = try ledger.capture(request)
            try console.result(done.json(piece: request.piece), done.words(piece: request.piece))
            if let note = done.note, !console.isJSON { console.note("\(Grammar.program): \(note)") }
            return done.exit
        })

    static let confirm = Verb(
        path: ["confirm"], summary: "Accept the latest capture of a piece; only confirmed ones are ever sent.",
        positionals: [Positional("ID", "the session's id"), Positional("PIECE", "the piece")], writes: true,
        examples: ["capture-ledger confirm 0193… passport_front"], exits: [.refused, .notFound, .inputOutput, .notPermitted],
        run: { invocation, console in
            let (id, piece) = (try invocation.sessionID(), try invocation.piece(invocation[1]))
            let options = try invocation.commandOptions()
            let ledger = try invocation.openLedger()
            return try console.answer(try ledger.confirm(piece, in: id, options), ledger)
        })

    static let retake = Verb(
        path: ["retake"], summary: "Set the latest capture of a piece aside, so that it is captured again.",
        positionals: [Positional("ID", "the session's id"), Positional("PIECE", "the piece")], writes: true,
        examples: ["capture-ledger retake 0193… selfie"], exits: [.refused, .notFound, .inputOutput, .notPermitted],
        run: { invocation, console in
            let (id, piece) = (try invocation.sessionID(), try invocation.piece(invocation[1]))
            let options = try invocation.commandOptions()
            let ledger = try invocation.openLedger()
            return try console.answer(try ledger.retake(piece, in: id, options), ledger)
        })

    static let drop = Verb(
        path: ["drop"], summary: "Leave out pieces that were never captured; others are not touched.",
        positionals: [Positional("ID", "the session's id"), Positional("PIECE", "the pieces", .oneOrMore)], writes: true,
        examples: ["capture-ledger drop 0193… passport_back"], exits: [.refused, .notFound, .inputOutput, .notPermitted],
        run: { invocation, console in
            let id = try invocation.sessionID()
            let pieces = try invocation.words(from: 1).map { try invocation.piece($0) }
            let options = try invocation.commandOptions()
            let ledger = try invocation.openLedger()
            return try console.answer(try ledger.drop(pieces, in: id, options), ledger)
        })
}
