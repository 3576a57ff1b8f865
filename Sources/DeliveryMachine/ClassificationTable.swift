/// How an ended request is read. Data, with an edition that every attempt names.
package enum ClassificationTable {
    package static let version = 1

    /// Looked through from the top; the last rows catch what is left, so every status from 100 to 999 has a rule.
    package static let statusRules: [StatusRule] = [
        StatusRule(202, .poll, .accepted),
        StatusRule(200...299, .apply, .answered),
        StatusRule(300...399, .pause(liftedByCredential: false), .redirected),
        StatusRule(400, .park(.refusedByEndpoint), .requestRefused),
        StatusRule(401, .pause(liftedByCredential: true), .unauthorized),
        StatusRule(403...405, .pause(liftedByCredential: false), .endpointRefuses),
        StatusRule(407, .pause(liftedByCredential: false), .endpointRefuses),
        StatusRule(408, .retry, .endpointBusy),
        StatusRule(409, .retry, .stillInProgress),
        StatusRule(410, .disable, .endpointGone),
        StatusRule(411, .park(.refusedByEndpoint), .requestRefused),
        StatusRule(413...415, .park(.refusedByEndpoint), .requestRefused),
        StatusRule(421, .retryOnNewConnection, .misdirected),
        StatusRule(422, .park(.keyReused), .keyReused),
        StatusRule(423...425, .retry, .endpointBusy),
        StatusRule(429, .throttle, .throttled),
        StatusRule(431, .park(.refusedByEndpoint), .requestRefused),
        StatusRule(451, .park(.refusedByEndpoint), .requestRefused),
        StatusRule(400...499, .park(.refusedByEndpoint), .requestRefused),
        StatusRule(501, .pause(liftedByCredential: false), .endpointRefuses),
        StatusRule(503, .throttle, .throttled),
        StatusRule(511, .pause(liftedByCredential: false), .endpointRefuses),
        StatusRule(500...999, .retry, .endpointFailed),
    ]

    /// The rule of a final status; nil for what is none (below 200, above 999).
    package static func rule(forStatus status: Int) -> StatusRule? {
        statusRules.first { $0.statuses.contains(status) }
    }
}

// MARK: - libcurl's codes

extension ClassificationTable {
    /// The request cannot have left, as long as no byte of its body did: resolution, connection, handshake, settings.
    package static let notSentCodes: Set<Int32> = [5, 6, 7, 35, 58, 59, 60, 64, 66, 77, 82, 83, 90, 91, 96, 97]

    /// Must be assumed to have arrived, whatever was counted.
    package static let unknownCodes: Set<Int32> = [16, 18, 52, 55, 56, 65, 92, 95]

    /// The endpoint's identity or our own certificate is in question: no other delivery would fare better.
    package static let tlsIdentityCodes: Set<Int32> = [58, 60, 77, 90, 91]

    /// Whether a request arrived, from everything that is known: a code alone cannot tell. On a reused connection libcurl
    /// may have sent the request once already before a second try failed to connect, so counted bytes outweigh the code.
    package static func certainty(curlCode: Int32, status: Int, bytesSent: Int64) -> Certainty {
        if curlCode == 0 { return (200...999).contains(status) ? .answered : .unknown }
        if unknownCodes.contains(curlCode) || bytesSent > 0 { return .unknown }
        return .notSent
    }
}
