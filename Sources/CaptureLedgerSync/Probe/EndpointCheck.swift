/// What a look at one destination found, without a delivery and without anything personal or secret in it.
package struct EndpointCheck: Sendable, Hashable {
    /// In the order in which they are looked at; a step that failed ends the look.
    package enum Step: String, Sendable, CaseIterable {
        /// The token or the signing secret can be had.
        case credential
        /// The name resolves, to an address that may be connected to, and somebody answers there.
        case connection
        /// The handshake, and what the certificates say about their end.
        case tls
        /// The endpoint's clock against ours.
        case clock
        /// The endpoint's answer to a HEAD request.
        case answer
    }

    package enum State: String, Sendable {
        case good
        /// It works, and somebody should look at it.
        case warning
        case failed
        /// A step before it failed, or nothing is known.
        case skipped
    }

    package struct Finding: Sendable, Hashable {
        package let step: Step
        package let state: State
        /// A sentence.
        package let message: String
        /// Empty when there is nothing to do.
        package let remedy: String
    }

    /// The name in the settings.
    package let destination: String
    /// Scheme, host and port: what follows may be personal.
    package let origin: String
    /// One for each step, in its order.
    package internal(set) var findings: [Finding] = []
    /// The address that was connected to, a proxy's behind one.
    package internal(set) var address: String?
    package internal(set) var status: Int?
    /// How far the endpoint's clock is ahead of ours; whole seconds, since that is what a `Date` says.
    package internal(set) var clockDifferenceMilliseconds: Int64?
    package internal(set) var expiries: [CredentialExpiry] = []

    init(destination: String, origin: String) {
        self.destination = destination
        self.origin = origin
    }

    /// A delivery would get through, as far as a look can tell.
    package var isReachable: Bool { !findings.contains { $0.state == .failed } }
}
