import SessionDomain

/// Why the tool stops, in the words that the user gets.
struct Complaint: Error, Hashable, Sendable {
    let code: String
    let message: String
    let remedy: String
    let exit: ExitCode

    init(_ code: String, _ message: String, remedy: String, exit: ExitCode) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.exit = exit
    }

    /// What `--json` prints about it.
    var json: JSONValue {
        let object: JSONValue = ["code": .string(code), "message": .string(message), "remedy": .string(remedy)]
        return object.adding("runbook", exit == .usage ? nil : .string(Runbook.section(code)))
    }

    /// What a person reads.
    var lines: [String] {
        ["\(message) \(remedy)"] + (exit == .usage ? [] : ["  More: \(Runbook.section(code))"])
    }

    static func usage(_ message: String, remedy: String) -> Complaint {
        Complaint("usage", message, remedy: remedy, exit: .usage)
    }
}
