import CaptureLedger
import SessionDomain

extension Verb {
    static let capture = Verb(
        path: ["capture"], summary: "Take in the media of one piece: sealed and durable before it answers.",
        details: "A file that cannot be taken in is recorded as refused, counts no attempt, and ends with 65.",
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
        exits: [.refused, .notFound, .inputOutput, .notPermitted],
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
            if case .refused(let failure, _, let message, let remedy) = done.outcome, !console.isJSON {
                console.note("\(Grammar.program): \(failure.rawValue): \(message) \(remedy)")
            }
            return if case .refused = done.outcome { .refused } else { .done }
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

extension CaptureResultReceipt {
    func json(piece: Piece) -> JSONValue {
        var capture: JSONValue = .null
        var failure: JSONValue = .null
        var name: JSONValue = "accepted"
        switch outcome {
        case .captured(let id, let attempt):
            capture = [
                "id": .string(id.text), "piece": .string(piece.rawValue), "attempt": .whole(attempt), "media": mediaJSON,
            ]
        case .refused(let code, let detail, let message, let remedy):
            name = "refused"
            failure = .string(code.rawValue)
            capture = ["id": .null, "piece": .string(piece.rawValue), "attempt": .null, "media": mediaJSON]
            return [
                "capture": capture, "outcome": name, "failure": failure, "findings": [], "receipt": receipt.json,
                "detail": .text(detail), "message": .string(message), "remedy": .string(remedy),
            ]
        }
        return ["capture": capture, "outcome": name, "failure": failure, "findings": [], "receipt": receipt.json]
    }

    private var mediaJSON: JSONValue {
        guard let media else { return .null }
        return [
            "type": .string(media.type), "bytes": .integer(media.bytes), "width": .whole(media.width),
            "height": .whole(media.height), "orientation": .whole(media.orientation),
            "flags": .array(media.flags.map { .string($0) }),
        ]
    }

    func words(piece: Piece) -> String {
        switch outcome {
        case .captured(let id, let attempt):
            let what = media.map { " \($0.type), \($0.width)×\($0.height), \(Words.bytes($0.bytes))." } ?? ""
            return "Captured \(piece.rawValue), attempt \(attempt):\(what) Sealed as \(id.text).\n\(receipt.words)"
        case .refused(let failure, _, _, _):
            return "Refused \(piece.rawValue): \(Words.plain(failure.rawValue)). No attempt was counted.\n\(receipt.words)"
        }
    }
}
