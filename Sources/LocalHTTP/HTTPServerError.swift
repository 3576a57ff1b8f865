/// Why a server could not be started.
package struct HTTPServerError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case addressInvalid = "address_invalid"
        case cannotListen = "cannot_listen"
        case cannotAppend = "cannot_append"
    }

    package let code: Code
    package let message: String
    package let remedy: String

    package var description: String { "\(message) \(remedy)" }
}
