package import DeliveryMachine
package import SessionDomain

/// A transport whose server is a closure: it sees whole requests and says how they end.
package final class ScriptedTransport: Transport {
    package struct Sent {
        package let request: TransferRequest
        package let body: [UInt8]
        package func header(_ name: String) -> String? { request.headers.last(named: name.lowercased()) }
    }

    package enum Reply {
        case answer(Int, headers: [Header] = [], String)
        /// No answer: a libcurl code, the last status seen, and how much of the body had left.
        case broken(code: Int32, status: Int = 0, bytesSent: Int64)
        /// Ends only when it is cancelled.
        case hangs
    }

    package private(set) var sent: [Sent] = []
    package private(set) var mostUnderWay = 0
    /// How many answers one wait returns at most.
    package var heardAtOnce = Int.max
    private var results: [TransferResult] = []
    private var hanging: [DeliveryID: TransferResult] = [:]
    private let now: () -> Int64
    private let idle: (Int) -> Void
    private let server: (Sent) -> Reply

    /// - Parameter idle: told how long a wait without results lasted, to move a test's clock.
    package init(now: @escaping () -> Int64, idle: @escaping (Int) -> Void, server: @escaping (Sent) -> Reply) {
        self.now = now
        self.idle = idle
        self.server = server
    }

    package var transfersUnderWay: Int { results.count + hanging.count }

    package func start(_ request: TransferRequest) throws(DeliveryFault) {
        var body: [UInt8] = []
        if let source = request.body {
            while true {
                let bytes = try source.read(at: Int64(body.count), limit: 4_096)
                if bytes.isEmpty { break }
                body += bytes
            }
        }
        let seen = Sent(request: request, body: body)
        sent.append(seen)
        let reply = server(seen)
        var result = TransferResult(
            token: request.token, curlCode: 0, status: 0, headers: [], body: [], bytesSent: Int64(max(1, body.count)),
            startedAtMilliseconds: now(), finishedAtMilliseconds: now())
        switch reply {
        case .answer(let status, let headers, let text):
            result.status = status
            result.headers = headers
            result.body = Array(text.utf8)
            results.append(result)
        case .broken(let code, let status, let bytesSent):
            result.curlCode = code
            result.status = status
            result.bytesSent = bytesSent
            results.append(result)
        case .hangs:
            result.curlCode = 42
            hanging[request.token] = result
        }
        mostUnderWay = max(mostUnderWay, transfersUnderWay)
    }

    package func wait(milliseconds: Int) throws(DeliveryFault) -> [TransferResult] {
        if results.isEmpty { idle(milliseconds) }
        let heard = results.prefix(heardAtOnce)
        results.removeFirst(heard.count)
        return Array(heard)
    }

    /// As when the process dies: nothing of what was under way is heard of again.
    package func forget() {
        results.removeAll()
        hanging.removeAll()
    }

    package func cancel(_ token: DeliveryID) {
        guard var result = hanging.removeValue(forKey: token) else { return }
        result.localFault = DeliveryFault(.stopped, message: "Stopped.", remedy: "Run again.")
        results.append(result)
    }
}
