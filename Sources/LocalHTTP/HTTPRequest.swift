/// The first part of a request: all that is known before its body.
package struct HTTPRequestHead: Sendable {
    package let method: String
    /// Percent-decoded, beginning with a slash, without the query.
    package let path: String
    /// Decoded names and values in order; an argument without `=` has an empty value.
    package let query: [(name: String, value: String)]
    package let headers: HTTPHeaders

    package init(method: String, path: String, query: [(name: String, value: String)] = [], headers: HTTPHeaders = [:]) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
    }

    /// The declared length of the body in bytes; nil when none is declared (no body, or a chunked one) or it is no number.
    package var contentLength: UInt64? {
        headers["Content-Length"].flatMap { UInt64($0) }
    }
}

/// A request whose body was small enough to be kept in memory.
package struct HTTPRequest: Sendable {
    package let head: HTTPRequestHead
    package let body: [UInt8]

    package init(head: HTTPRequestHead, body: [UInt8]) {
        self.head = head
        self.body = body
    }
}
