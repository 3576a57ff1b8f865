import SessionDomain
import StructuredLog

/// Where a verb speaks: one JSON object or words on standard output, progress and complaints on standard error.
struct Console: Sendable {
    let isJSON: Bool
    let logger: Logger
    /// A person at a terminal sees what goes to standard error.
    let isWatched: Bool
    private let output: @Sendable ([UInt8]) throws -> Void
    private let errors: @Sendable (String) -> Void
    private let drawing: @Sendable (String) -> Void

    init(
        isJSON: Bool, logger: Logger = .off, isWatched: Bool = false, output: @escaping @Sendable ([UInt8]) throws -> Void,
        errors: @escaping @Sendable (String) -> Void, drawing: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.isJSON = isJSON
        self.logger = logger
        self.isWatched = isWatched
        self.output = output
        self.errors = errors
        self.drawing = drawing
    }

    /// The verb's result: `json` for machines, `words` for people. Once for each verb, except where lines are said to be many.
    func result(_ json: @autoclosure () -> JSONValue, _ words: @autoclosure () -> String) throws {
        try output(Array((isJSON ? json().canonical : words().visible(keepingLines: true)).utf8) + [0x0A])
    }

    /// Text that is the same for both, such as help.
    func say(_ text: String) throws { try output(Array(text.utf8)) }

    /// Bytes of a file.
    func bytes(_ bytes: [UInt8]) throws { try output(bytes) }

    /// For people, on standard error; never a result.
    func note(_ text: String) { errors(text.visible(keepingLines: true)) }

    /// What is put on the terminal as it is, to be drawn over later.
    func draw(_ text: String) { drawing(text) }

    func complain(_ complaint: Complaint) {
        if isJSON {
            try? output(JSONValue.members([.init("error", complaint.json)]).canonicalBytes + [0x0A])
        }
        let more = isJSON ? [] : complaint.lines.dropFirst()
        note((["\(Grammar.program): \(complaint.lines[0])"] + more).joined(separator: "\n"))
    }
}
