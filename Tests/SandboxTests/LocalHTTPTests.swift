import Foundation
import LocalHTTP
import Synchronization
import Testing

struct `The local HTTP server` {
    /// Gives three pieces, the second longer than a buffer.
    private final class Pieces: HTTPBodySource {
        private let left = Mutex<[[UInt8]]>([Array("a".utf8), [UInt8](repeating: 0x62, count: 100_000), Array("c".utf8)])

        func next(atMost limit: Int) -> [UInt8]? {
            left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }

    /// Says whether it was abandoned, and when it got its first bytes.
    private final class Watcher: HTTPBodySink {
        let hasBegun = Atomic(false)
        let isAbandoned = Atomic(false)

        func receive(_ bytes: Span<UInt8>) -> HTTPDrop? {
            hasBegun.store(true, ordering: .releasing)
            return nil
        }

        func finish() -> HTTPAnswer { .response(HTTPResponse(status: 204)) }
        func abandoned() { isAbandoned.store(true, ordering: .releasing) }
    }

    @Test func `a request is seen with its method, path, query and headers`() throws {
        let server = try HTTPServer { head in
            let query = head.query.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
            let text = "\(head.method) \(head.path) \(query) \(head.headers.all("x-two").joined(separator: ","))"
            return .answer(.response(HTTPResponse(status: 200, contentType: "text/plain", text: text)))
        }
        defer { server.stop() }
        let answer = try Curl(["-H", "X-Two: 1", "-H", "x-TWO: 2", server.origin + "/a%20b?n=%C3%A9&bare"])
        #expect(answer.body == "GET /a b n=é;bare= 1,2")
        #expect(try Curl(["-I", server.origin + "/"]).body.isEmpty)
    }

    @Test func `one connection serves several requests`() throws {
        let server = try HTTPServer { _ in .collect(limit: 10) { .response(HTTPResponse(status: 200, body: .bytes($0.body))) } }
        defer { server.stop() }
        let answer = try Curl([
            "-w", "connects %{num_connects}\n", "-d", "first", server.origin, "--next", "-sS", "-w",
            "connects %{num_connects}\n",
            "-d", "second", server.origin,
        ])
        #expect(answer.body.contains("first") && answer.body.hasSuffix("secondconnects 0\n"), "\(answer.body)")
    }

    @Test func `a body over the limit is answered with 413, at the limit it is taken`() throws {
        let server = try HTTPServer { _ in .collect(limit: 10) { .response(HTTPResponse(status: 200, body: .bytes($0.body))) } }
        defer { server.stop() }
        #expect(try Curl(["-d", "0123456789", server.origin]).body == "0123456789")
        #expect(try Curl(["-d", "0123456789a", server.origin]).status == 413)
    }

    @Test func `a message with two lengths is refused`() throws {
        let server = try HTTPServer { _ in .collect(limit: 10) { .response(HTTPResponse(status: 200, body: .bytes($0.body))) } }
        defer { server.stop() }
        let both = ["-H", "Transfer-Encoding: chunked", "-H", "Content-Length: 3", "-d", "abc", server.origin]
        #expect(try Curl(both).status == 400)
        #expect(
            try Curl(["-X", "POST", "-H", "Content-Length: 3", "-H", "content-length: 3", "-d", "abc", server.origin]).status
                == 400)
    }

    @Test(arguments: [nil, UInt64(100_002)]) func `a streamed answer arrives whole`(_ length: UInt64?) throws {
        let server = try HTTPServer { _ in
            .answer(.response(HTTPResponse(status: 200, body: .stream(Pieces(), length: length))))
        }
        defer { server.stop() }
        let answer = try Curl([server.origin])
        #expect(answer.exitCode == 0 && answer.headers["content-length"] == length.map { String($0) })
        let isWhole = answer.body == "a" + String(repeating: "b", count: 100_000) + "c"
        #expect(isWhole)
    }

    @Test func `stopping abandons what is under way, closes the port, and may be repeated`() async throws {
        let watcher = Watcher()
        let server = try HTTPServer { _ in .stream(watcher) }
        let origin = server.origin
        async let upload = onThread {
            try Curl(["-H", "Content-Length: 1000", "-H", "Expect:", "-d", "few", origin])
        }
        try await until { watcher.hasBegun.load(ordering: .acquiring) }
        server.stop()
        server.stop()
        let isAbandoned = watcher.isAbandoned.load(ordering: .acquiring)
        #expect(isAbandoned)
        #expect(try await upload.status == 0)
        #expect(try Curl([origin]).exitCode == 7)
    }

    @Test func `an address that is none, and a port that is taken, are errors with a remedy`() throws {
        let server = try HTTPServer { _ in .answer(.drop(.close)) }
        defer { server.stop() }
        #expect(try Curl([server.origin]).exitCode == 52)
        let port = server.port
        let taken = try #require(throws: HTTPServerError.self) {
            try HTTPServer(.init(port: port)) { _ in .answer(.drop(.close)) }
        }
        #expect(taken.code == .cannotListen && taken.message.contains("Address already in use"))
        var options = HTTPServer.Options()
        options.address = "localhost"
        let named = options
        let invalid = try #require(throws: HTTPServerError.self) { try HTTPServer(named) { _ in .answer(.drop(.close)) } }
        #expect(invalid.code == .addressInvalid)
        options.address = "::1"
        let six = options
        let local = try HTTPServer(six) { _ in .answer(.response(HTTPResponse(status: 204))) }
        defer { local.stop() }
        #expect(try Curl([local.origin]).status == 204)
    }
}
