import LocalHTTP

/// Takes one submission's body as it streams in.
final class SubmissionSink: HTTPBodySink, @unchecked Sendable {
    private let desk: Desk
    private let arrival: Endpoints.Arrival
    private let declared: UInt64?
    /// Ends the connection at the first bytes of the body.
    private let dropWhileReading: HTTPDrop?
    private var reader: Result<any BodyReader, Refusal>
    private var received: UInt64 = 0

    init(
        _ desk: Desk, _ arrival: Endpoints.Arrival, _ head: HTTPRequestHead, _ headers: RequestHeaders,
        dropWhileReading: HTTPDrop?
    ) {
        self.desk = desk
        self.arrival = arrival
        declared = head.contentLength
        self.dropWhileReading = dropWhileReading
        reader = headers.reader
    }

    func receive(_ bytes: Span<UInt8>) -> HTTPDrop? {
        received += UInt64(bytes.count)
        if case .success(var open) = reader {
            // the other reference is given up first, so that the reader is changed in place
            reader = .failure(.malformed(""))
            open.receive(bytes)
            reader = .success(open)
        }
        return dropWhileReading
    }

    func finish() -> HTTPAnswer {
        var body: Result<Submission, Refusal>
        switch reader {
        case .failure(let refusal): body = .failure(refusal)
        case .success(var open):
            do throws(Refusal) { body = .success(try open.finish()) } catch { body = .failure(error) }
        }
        if let declared, declared != received, case .success = body {
            body = .failure(.malformed("The body is not as long as Content-Length says."))
        }
        return desk.settle(arrival, body)
    }

    func abandoned() {
        desk.cutOff(arrival, status: 0, "The connection ended before the body was complete.")
    }
}
