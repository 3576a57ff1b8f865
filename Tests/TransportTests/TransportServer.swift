import SessionDomain
import TestSupport

/// The program in `Tests/Support/TransportServer`: an endpoint, a token endpoint and a proxy that behave, over TLS that is right
/// or wrong in one way.
final class TransportServer: Sendable {
    private let program: ServerProgram
    /// Certificates by the name of their port, with their keys in the same files.
    var folder: String { program.folder }
    /// Of the port `tls`, as the settings want it.
    var pin: String { program.ready["pin"]?.asString ?? "" }
    var authority: String { folder + "/authority.pem" }

    init() throws { program = try ServerProgram("TransportServer") }

    func port(_ name: String) -> Int { program.port(name) }

    func url(_ path: String = "/submit", port: String = "tls", host: String? = nil) -> String {
        let isSecure = port.hasPrefix("tls")
        return "\(isSecure ? "https" : "http")://\(host ?? (isSecure ? "localhost" : "127.0.0.1")):\(self.port(port))\(path)"
    }

    /// Changes what is accepted and how it answers; the names are those of `STATE` in the program.
    func set(_ state: String) throws { _ = try program.ask(#"{"do":"set","state":{\#(state)}}"#) }

    /// As it was at its start.
    func reset() throws { _ = try program.ask(#"{"do":"reset"}"#) }

    func requests(_ path: String? = nil) throws -> [JSONValue] {
        (try program.ask(#"{"do":"requests"}"#)["requests"]?.asArray ?? []).filter {
            path == nil || $0["path"]?.asString == path
        }
    }

    func connects() throws -> [JSONValue] { try program.ask(#"{"do":"requests"}"#)["connects"]?.asArray ?? [] }
}
