internal import CMicroHTTPD

/// One request on its way through the callbacks; libmicrohttpd keeps the reference between them.
final class Exchange {
    private enum Stage {
        case reading(any HTTPBodySink)
        /// The body is too large to be collected: read to its end, then refused.
        case answered
    }

    private var stage: Stage

    /// Nil when the connection is to be closed; an exchange without a sink was answered at once.
    init(_ plan: HTTPBodyPlan, _ head: HTTPRequestHead) {
        switch plan {
        case .answer(let answer): stage = .reading(AnswerSink(answer))
        case .collect(let limit, let respond): stage = .reading(CollectingSink(head, limit, respond))
        case .stream(let sink): stage = .reading(sink)
        }
    }

    func receive(_ bytes: Span<UInt8>) -> HTTPDrop? {
        guard case .reading(let sink) = stage else { return nil }
        let verdict = sink.receive(bytes)
        if verdict != nil { completed() }
        return verdict
    }

    func finish() -> HTTPAnswer? {
        guard case .reading(let sink) = stage else { return nil }
        stage = .answered
        return sink.finish()
    }

    /// The request is over, one way or the other.
    func completed() {
        if case .reading(let sink) = stage { sink.abandoned() }
        stage = .answered
    }
}

/// Reads past a body whose answer is known.
private final class AnswerSink: HTTPBodySink {
    private let answer: HTTPAnswer

    init(_ answer: HTTPAnswer) { self.answer = answer }

    func receive(_ bytes: Span<UInt8>) -> HTTPDrop? { nil }
    func finish() -> HTTPAnswer { answer }
    func abandoned() {}
}

/// Keeps a body in memory up to a limit.
private final class CollectingSink: HTTPBodySink, @unchecked Sendable {
    private let head: HTTPRequestHead
    private let limit: Int
    private let respond: @Sendable (HTTPRequest) -> HTTPAnswer
    private var body: [UInt8] = []
    private var isTooLarge = false

    init(_ head: HTTPRequestHead, _ limit: Int, _ respond: @escaping @Sendable (HTTPRequest) -> HTTPAnswer) {
        self.head = head
        self.limit = limit
        self.respond = respond
    }

    func receive(_ bytes: Span<UInt8>) -> HTTPDrop? {
        if isTooLarge || body.count + bytes.count > limit {
            isTooLarge = true
            body = []
        } else {
            unsafe bytes.withUnsafeBufferPointer { unsafe body.append(contentsOf: $0) }
        }
        return nil
    }

    func finish() -> HTTPAnswer {
        if isTooLarge {
            return .response(
                HTTPResponse(status: 413, contentType: "text/plain", text: "The body is larger than \(limit) bytes.\n"))
        }
        return respond(HTTPRequest(head: head, body: body))
    }

    func abandoned() {}
}
