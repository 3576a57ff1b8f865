import SessionDomain
import StructuredLog

/// Where a verb speaks: one JSON object or words on standard output, progress and complaints on standard error.
struct Console: Sendable {
    let isJSON: Bool
    let logger: Logger
    private let output: @Sendable ([UInt8]) throws -> Void
    private let errors: @Sendable (String) -> Void

    init(
        isJSON: Bool, logger: Logger = .off, output: @escaping @Sendable ([UInt8]) throws -> Void,
        errors: @escaping @Sendable (String) -> Void
    ) {
        self.isJSON = isJSON
        self.logger = logger
        self.output = output
        self.errors = errors
    }

    /// The verb's result: `json` for machines, `words` for people. Once for each verb, except where lines are said to be many.
    func result(_ json: @autoclosure () -> JSONValue, _ words: @autoclosure () -> String) throws {
        try output(Array((isJSON ? json().canonical : words()).utf8) + [0x0A])
    }

    /// Text that is the same for both, such as help.
    func say(_ text: String) throws { try output(Array(text.utf8)) }

    /// Bytes of a file.
    func bytes(_ bytes: [UInt8]) throws { try output(bytes) }

    /// For people, on standard error; never a result.
    func note(_ text: String) { errors(text) }

    func complain(_ complaint: Complaint) {
        if isJSON {
            let error = JSONValue.members([
                .init("code", .string(complaint.code)), .init("message", .string(complaint.message)),
                .init("remedy", .string(complaint.remedy)),
            ])
            try? output(JSONValue.members([.init("error", error)]).canonicalBytes + [0x0A])
        }
        errors("\(Grammar.program): \(complaint.message) \(complaint.remedy)")
    }
}
