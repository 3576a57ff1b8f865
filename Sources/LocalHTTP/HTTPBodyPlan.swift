/// What a handler wants done with the body of a request, decided when the head is there.
package enum HTTPBodyPlan: Sendable {
    /// Answers without reading the body; the connection then ends when a body was on its way.
    case answer(HTTPAnswer)
    /// Collects the body and answers; a larger one is answered with 413.
    case collect(limit: Int, @Sendable (HTTPRequest) -> HTTPAnswer)
    /// Hands the body over piece by piece; memory does not grow with it.
    case stream(any HTTPBodySink)
}

/// Takes the body of one request as it arrives. All calls come one after the other, on the thread of the connection, so
/// a sink may block (the client is then slowed down) and needs no lock for its own state.
package protocol HTTPBodySink: AnyObject, Sendable {
    /// The next bytes of the body, never none. Anything but nil ends the connection at once.
    func receive(_ bytes: Span<UInt8>) -> HTTPDrop?

    /// The body is complete, as long as the head declared.
    func finish() -> HTTPAnswer

    /// The connection ended, or the server stopped, before the body was complete; `finish` is not called.
    func abandoned()
}
