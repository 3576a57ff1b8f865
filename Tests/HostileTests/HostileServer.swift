import SessionDomain
import SystemCalls
import TestSupport

/// The program in `Tests/Support/HostileServer`: told by key what to do wrong, on loopback, over TLS too.
final class HostileServer: Sendable {
    /// A request as the server saw it, whole or in part.
    struct Seen: Sendable {
        let connection: Int
        /// 1 for the first on its connection.
        let request: Int
        let method: String
        let path: String
        let isWhole: Bool
        /// `effect`, `repeat`, `conflict`, or `no` when it was not taken in.
        let taken: String
        let digest: String?
    }

    /// What the independent checker read in the record.
    struct Verdict: Sendable {
        let problems: [String]
        let keys: Int
        let effects: Int
        let requests: Int
        let partial: Int
    }

    private let program: ServerProgram
    var folder: String { program.folder }
    var authority: String { folder + "/authority.pem" }

    init() throws { program = try ServerProgram("HostileServer") }

    /// - Parameter port: `plain`, `tls`, or one of the ports that are wrong in one way.
    func url(_ path: String, port: String = "plain") -> String {
        let isSecure = port.hasPrefix("tls")
        return "\(isSecure ? "https://localhost" : "http://127.0.0.1"):\(program.port(port))\(path)"
    }

    // MARK: control

    /// The next `times` requests of the key do what is asked; 0: all until `heal`.
    func rule(_ key: DeliveryID, _ behaviour: String, _ options: String = "{}", times: Int = 0) throws {
        _ = try program.ask(
            #"{"do":"rule","key":"\#(key.text)","behaviour":"\#(behaviour)","times":\#(times),"with":\#(options)}"#)
    }

    func heal(_ key: DeliveryID) throws { _ = try program.ask(#"{"do":"heal","key":"\#(key.text)"}"#) }

    func requests(_ key: DeliveryID) throws -> [Seen] {
        let answer = try program.ask(#"{"do":"requests","key":"\#(key.text)"}"#)
        return (answer["requests"]?.asArray ?? []).map {
            Seen(
                connection: Int($0["connection"]?.asInteger ?? 0), request: Int($0["request"]?.asInteger ?? 0),
                method: $0["method"]?.asString ?? "", path: $0["path"]?.asString ?? "", isWhole: $0["whole"] == .bool(true),
                taken: $0["taken"]?.asString ?? "", digest: $0["digest"]?.asString)
        }
    }

    /// Which of the requests so far hold a text, by their number; and how many there were.
    func mentions(_ text: String) throws -> (numbers: [Int], of: Int) {
        let answer = try program.ask(#"{"do":"mentions","text":"\#(text)"}"#)
        return (
            answer["numbers"]?.asArray?.compactMap { $0.asInteger.map { Int($0) } } ?? [], Int(answer["of"]?.asInteger ?? -1)
        )
    }

    /// Ends the server and has its record judged.
    func verdict(deliveries: Int?) throws -> Verdict {
        _ = try program.ask(#"{"do":"stop"}"#)
        let expectation = deliveries.map { ["--expect-deliveries", String($0)] } ?? []
        let done = try ChildProcess.run(
            path: "/usr/bin/env",
            arguments: ["env", "python3", program.path + "/check.py", folder + "/record.jsonl"] + expectation,
            limitMilliseconds: 60_000, outputLimit: 1 << 24)
        let verdict = try JSONValue.parse(done.output)
        return Verdict(
            problems: verdict["problems"]?.asArray?.compactMap(\.asString) ?? ["no verdict"],
            keys: Int(verdict["keys"]?.asInteger ?? -1), effects: Int(verdict["effects"]?.asInteger ?? -1),
            requests: Int(verdict["requests"]?.asInteger ?? -1), partial: Int(verdict["partial"]?.asInteger ?? -1))
    }
}
