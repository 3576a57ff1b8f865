/// Why the sandbox could not start or could not take a scenario.
package struct SandboxError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case cannotListen = "cannot_listen"
        case recordUnreadable = "record_unreadable"
        case recordUnwritable = "record_unwritable"
        case scenarioInvalid = "scenario_invalid"
    }

    package let code: Code
    package let message: String
    package let remedy: String

    package var description: String { "\(message) \(remedy)" }

    static func scenario(_ path: String, _ message: String, _ remedy: String = "See docs/sandbox.md for the format.") -> Self {
        let place = path.isEmpty ? "The scenario" : "The scenario's \(path)"
        return Self(code: .scenarioInvalid, message: "\(place) \(message).", remedy: remedy)
    }
}
