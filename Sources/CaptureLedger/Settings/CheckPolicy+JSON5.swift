package import MediaChecks
import SessionDomain

extension CheckPolicy {
    /// Reads a policy's file as people write it: JSON5, like the settings, so that ``CheckPolicy/template`` can be edited and read back.
    ///
    /// - Throws: ``PolicyProblem``.
    package init(json5 bytes: [UInt8]) throws(PolicyProblem) {
        let json: JSONValue
        do throws(SettingsProblem) { json = try JSON5Reader.read(bytes) } catch {
            throw PolicyProblem(
                .notJSON, at: "", Self.aboutPolicy(error.message),
                remedy: "Begin again from the template, or correct that place; comments and trailing commas are fine.")
        }
        try self.init(json: json)
    }

    private static func aboutPolicy(_ message: String) -> String {
        let subject = "The settings"
        return message.hasPrefix(subject) ? "The policy" + message.dropFirst(subject.count) : message
    }
}
