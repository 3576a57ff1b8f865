/// What the server does once a request was handled.
package enum HTTPAnswer: Sendable {
    case response(HTTPResponse)
    /// Ends the connection without a byte of an answer.
    case drop(HTTPDrop)
}

/// How a connection is given up.
package enum HTTPDrop: Sendable {
    /// An orderly end, as when a process exits.
    case close
    /// A reset, as when a machine or a middlebox forgets the connection.
    case reset
}

/// A status, header fields and a body.
package struct HTTPResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Declares more than it sends, then ends the connection.
        case truncated([UInt8], declaring: Int)
        /// Sent as it is produced: chunked, or with a length where one is given.
        case stream(any HTTPBodySource, length: UInt64?)
    }

    package var status: Int
    package var headers: HTTPHeaders
    package var body: Body

    package init(status: Int, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response whose body is one piece of text.
    package init(status: Int, contentType: String, text: String, headers: HTTPHeaders = [:]) {
        self.init(status: status, headers: headers, body: .bytes(Array(text.utf8)))
        self.headers.add("Content-Type", contentType)
    }
}

/// Produces the body of a response, on the thread of its connection; it may block.
package protocol HTTPBodySource: AnyObject, Sendable {
    /// The next bytes, at most `limit` of them and never none; nil at the end.
    func next(atMost limit: Int) -> [UInt8]?
}
