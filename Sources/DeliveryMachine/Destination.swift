/// The configured name of an endpoint, such as `verifier`.
package struct DestinationName: Hashable, Sendable, Comparable {
    package let text: String
    package init(_ text: String) { self.text = text }
    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// A configured endpoint: where it is, how its answers are read, and how much of it may be used.
package struct Destination: Sendable {
    package enum Kind: String, Sendable, CaseIterable { case verifier, hologram }

    package var name: DestinationName
    package var kind: Kind
    package var url: String
    /// Where to ask about one delivery when an answer was lost; `{key}` stands for its idempotency key.
    package var statusURL: String?
    /// Sent with every request, for instance `Authorization`. Values are secrets: never logged, never stored.
    package var headers: [Header] = []
    /// Changes whenever the credential does, and says nothing about it; a change lifts a pause after a 401.
    package var credentialFingerprint: String?
    /// Requests under way at one time.
    package var inFlightLimit = 4
    /// Requests begun a second at most, questions about a status among them; nil sets no limit.
    package var requestsPerSecond: Double?
    package var retry = RetryPolicy()
    package var breaker = BreakerPolicy()
    package var transfer = TransferSettings()
    package var mapping = ResponseMapping()
    /// S80: the media is destroyed once its last byte was handed over, whatever the answer is.
    package var destroysMediaAfterSending = false

    package init(name: DestinationName, kind: Kind, url: String) {
        self.name = name
        self.kind = kind
        self.url = url
    }
}

/// One header field of a request or an answer.
package struct Header: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
