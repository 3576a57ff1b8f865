import CaptureLedger
import SessionDomain

extension Verb {
    static let observe = Verb(
        path: ["observe"], summary: "Record what a client saw or the user did, beside capturing.",
        details: """
            Kinds: \(Observed.names.joined(separator: ", ")).
            Fields: circle_index=N, is_flash_on_target=true, detected_card_type=NEW_TC_ID, is_backside=true, piece=PIECE, remind_at_ms=T.
            """,
        positionals: [
            Positional("ID", "the session's id"), Positional("KIND", "what was observed"),
            Positional("FIELD=VALUE", "more about it", .any),
        ],
        writes: true,
        examples: [
            "capture-ledger observe 0193… card_detected", "capture-ledger observe 0193… flash_circle_completed circle_index=2",
            "capture-ledger observe 0193… glare piece=passport_front",
        ],
        exits: [.refused, .notFound, .inputOutput, .notPermitted],
        run: { invocation, console in
            let (id, options) = (try invocation.sessionID(), try invocation.commandOptions())
            let observed = try Observed(kind: invocation[1], fields: invocation.words(from: 2))
            let ledger = try invocation.openLedger()
            let receipt =
                switch observed.what {
                case .observation(let observation):
                    try ledger.observe([observation], label: observed.label, in: id, options)
                case .interaction(let interaction, let piece, let remindAt):
                    try ledger.record(interaction, piece: piece, remindAtMilliseconds: remindAt, in: id, options)
                }
            return try console.answer(receipt, ledger)
        })
}

/// What the words of `observe` mean.
struct Observed {
    enum What {
        case observation(Observation)
        case interaction(Interaction, Piece?, remindAtMilliseconds: Int64?)
    }

    let what: What
    /// The words in one canonical order.
    let label: String

    private static let holograms = [
        "card_detected", "card_lost", "face_detection_success", "face_detection_idle", "flash_not_on_card",
        "flash_circle_completed", "flash_position_update", "flash_needs_more_frames", "card_not_in_hint", "too_much_glare",
        "wrong_card_type",
    ]
    static let names = holograms + LiveScanHint.allCases.map(\.rawValue) + Interaction.allCases.map(\.rawValue)

    init(kind: String, fields: [String]) throws(Complaint) {
        var reader = try FieldReader(kind, fields)
        label = reader.label
        if let hologram = try Self.hologram(kind, &reader) {
            what = .observation(.hologram(hologram))
        } else if let hint = LiveScanHint(rawValue: kind) {
            guard let piece = try reader.piece() else {
                throw .usage("\(kind) belongs to a piece.", remedy: "Add piece=passport_front, for instance.")
            }
            what = .observation(.liveScan(hint, piece: piece))
        } else if let interaction = Interaction(rawValue: kind) {
            what = .interaction(interaction, try reader.piece(), remindAtMilliseconds: try reader.integer("remind_at_ms"))
        } else {
            let hint = Spelling.nearest(to: kind, in: Self.names).map { "Did you mean \($0)?" }
            throw .usage(
                "There is no such kind of observation.", remedy: hint ?? "Run capture-ledger observe --help for the kinds.")
        }
        try reader.finish()
    }

    private static func hologram(_ kind: String, _ reader: inout FieldReader) throws(Complaint) -> HologramObservation? {
        switch kind {
        case "card_detected": return .cardDetected
        case "card_lost": return .cardLost
        case "face_detection_success": return .faceDetectionSuccess
        case "face_detection_idle": return .faceDetectionIdle
        case "flash_not_on_card": return .flashNotOnCard
        case "flash_circle_completed": return .flashCircleCompleted(circleIndex: Int(try reader.required("circle_index")))
        case "flash_position_update":
            return .flashPositionUpdate(isFlashOnTarget: try reader.flag("is_flash_on_target") ?? false)
        case "flash_needs_more_frames": return .flashNeedsMoreFrames
        case "card_not_in_hint": return .cardNotInHint
        case "too_much_glare": return .tooMuchGlare
        case "wrong_card_type":
            return .wrongCardType(detectedCardType: try reader.cardType(), isBackside: try reader.flag("is_backside") ?? false)
        default: return nil
        }
    }
}

/// `FIELD=VALUE` words, each to be used once.
struct FieldReader {
    private let kind: String
    private var fields: [(name: String, value: String)] = []
    let label: String

    init(_ kind: String, _ words: [String]) throws(Complaint) {
        self.kind = kind
        for word in words {
            guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
                throw .usage("A word is not FIELD=VALUE.", remedy: "Write it as circle_index=2, for instance.")
            }
            let name = String(word[..<equals])
            if fields.contains(where: { $0.name == name }) {
                throw .usage("A field is given twice.", remedy: "Keep one of them.")
            }
            fields.append((name, String(word[word.index(after: equals)...])))
        }
        label = ([kind] + fields.sorted { $0.name < $1.name }.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
    }

    mutating func text(_ name: String) -> String? {
        guard let index = fields.firstIndex(where: { $0.name == name }) else { return nil }
        return fields.remove(at: index).value
    }

    mutating func integer(_ name: String) throws(Complaint) -> Int64? {
        guard let text = text(name) else { return nil }
        guard let value = Int64(text), value >= 0, value <= 1 << 53 else {
            throw .usage("\(name) is not a whole number.", remedy: "Write it in digits, such as \(name)=2.")
        }
        return value
    }

    mutating func required(_ name: String) throws(Complaint) -> Int64 {
        guard let value = try integer(name) else {
            throw .usage("\(kind) needs \(name).", remedy: "Add \(name)=0, for instance.")
        }
        return value
    }

    mutating func flag(_ name: String) throws(Complaint) -> Bool? {
        guard let text = text(name) else { return nil }
        guard let value = Bool(text) else { throw .usage("\(name) is not true or false.", remedy: "Write \(name)=true.") }
        return value
    }

    mutating func piece() throws(Complaint) -> Piece? {
        guard let text = text("piece") else { return nil }
        guard let piece = Piece(rawValue: text) else {
            throw .usage(
                "piece names no piece.", remedy: "Use one of: \(Piece.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return piece
    }

    mutating func cardType() throws(Complaint) -> HologramCardType? {
        guard let text = text("detected_card_type") else { return nil }
        guard let type = HologramCardType(named: text) else {
            throw .usage(
                "detected_card_type names no card.",
                remedy: "Use one of: \(HologramCardType.allCases.map(\.name).joined(separator: ", ")).")
        }
        return type
    }

    func finish() throws(Complaint) {
        guard !fields.isEmpty else { return }
        throw .usage(
            "\(kind) was given a field that it does not have.", remedy: "Run capture-ledger observe --help for the fields.")
    }
}
