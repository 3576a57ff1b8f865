import SessionDomain
import SystemCalls
import Testing

/// A small program in Python that plays a part of the world outside and writes down what it is told, a JSON line each.
struct Listener: ~Copyable {
    private let process: ChildProcess
    let file: String
    /// What it prints first: where it listens.
    let address: String

    private init(_ workshop: Workshop, _ script: String, _ arguments: [String]) throws {
        file = "\(workshop.path)/heard-\(SecureRandom.words().0)"
        let started = try ChildProcess(
            path: "/usr/bin/python3", arguments: ["python3", "-c", script, file] + arguments, environment: workshop.variables)
        var line: [UInt8] = []
        var byte: [UInt8] = [0]
        let deadline = SystemClock.monotonicNanoseconds() + 20_000_000_000
        while try started.output.waitUntilReadable(deadline: deadline) {
            var span = byte.mutableSpan
            if try started.output.read(into: &span) == 0 || byte[0] == UInt8(ascii: "\n") { break }
            line.append(byte[0])
        }
        address = String(decoding: line, as: UTF8.self)
        process = started
    }

    /// A service manager's socket. `@name` is one in the abstract namespace.
    static func serviceManager(_ workshop: Workshop, _ address: String) throws -> Listener {
        try Listener(
            workshop,
            """
            import json, socket, sys, time
            heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            name = sys.argv[2]
            heard.bind("\\0" + name[1:] if name.startswith("@") else name)
            print(name, flush=True)
            with open(sys.argv[1], "a") as file:
                while True:
                    text = heard.recv(65536).decode()
                    print(json.dumps({"text": text, "at": int(time.monotonic() * 1000)}), file=file, flush=True)
            """, [address])
    }

    /// A dead man's switch over HTTP that takes so many seconds to answer.
    static func deadMan(_ workshop: Workshop, status: Int = 200, delaySeconds: Int = 0) throws -> Listener {
        try Listener(
            workshop,
            """
            import http.server, json, sys, time
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    with open(sys.argv[1], "a") as file: print(json.dumps({"text": self.path}), file=file, flush=True)
                    time.sleep(int(sys.argv[3]))
                    self.send_response(int(sys.argv[2])); self.send_header("Content-Length", "0"); self.end_headers()
                def log_message(self, *words): pass
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            print("http://127.0.0.1:%d/alive" % server.server_port, flush=True)
            server.serve_forever()
            """, [String(status), String(delaySeconds)])
    }

    /// An address over plain http that takes connections and never answers.
    static func silent(_ workshop: Workshop) throws -> Listener {
        try Listener(
            workshop,
            """
            import socket, time
            server = socket.create_server(("127.0.0.1", 0))
            print("http://127.0.0.1:%d/" % server.getsockname()[1], flush=True)
            time.sleep(600)
            """, [])
    }

    borrowing func heard() throws -> [JSONValue] {
        guard try FileStatus.of(file) != nil else { return [] }
        let text = try FileDescriptor(opening: file, .read).readToEnd(limit: 1 << 24)
        return try text.split(separator: 0x0A).map { try JSONValue.parse(Array($0)) }
    }

    borrowing func texts() throws -> [String] { try heard().compactMap { $0["text"]?.asString } }
}
