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

    static func usage(_ message: String, remedy: String) -> Complaint {
        Complaint("usage", message, remedy: remedy, exit: .usage)
    }
}
