extension Explanation {
    // statuses
    package static let answered = Self(rawValue: "answered")
    package static let accepted = Self(rawValue: "accepted")
    package static let redirected = Self(rawValue: "redirected")
    package static let requestRefused = Self(rawValue: "request_refused")
    package static let unauthorized = Self(rawValue: "unauthorized")
    package static let endpointRefuses = Self(rawValue: "endpoint_refuses")
    package static let endpointBusy = Self(rawValue: "endpoint_busy")
    package static let stillInProgress = Self(rawValue: "still_in_progress")
    package static let endpointGone = Self(rawValue: "endpoint_gone")
    package static let misdirected = Self(rawValue: "misdirected")
    package static let keyReused = Self(rawValue: "key_reused")
    package static let throttled = Self(rawValue: "throttled")
    package static let endpointFailed = Self(rawValue: "endpoint_failed")

    // answers
    package static let verified = Self(rawValue: "verified")
    package static let rejected = Self(rawValue: "rejected")
    /// The verifier reached no decision (S14).
    package static let failed = Self(rawValue: "failed")
    package static let contractBreak = Self(rawValue: "contract_break")
    package static let lengthsDiffer = Self(rawValue: "answer_lengths_differ")
    package static let notJSON = Self(rawValue: "answer_not_json")
    package static let foreignAnswer = Self(rawValue: "answer_of_another_delivery")
    package static let noOutcome = Self(rawValue: "answer_without_outcome")
    package static let noScore = Self(rawValue: "answer_without_score")
    package static let answerTooLong = Self(rawValue: "answer_too_long")
    package static let noStatusAddress = Self(rawValue: "status_address_missing")
    package static let foreignStatusAddress = Self(rawValue: "status_address_foreign")
    package static let didNotArrive = Self(rawValue: "did_not_arrive")
    package static let statusUnavailable = Self(rawValue: "status_unavailable")
    package static let statusUnanswered = Self(rawValue: "status_unanswered")

    // no answer
    package static let notConnected = Self(rawValue: "not_connected")
    package static let handshakeFailed = Self(rawValue: "handshake_failed")
    package static let untrusted = Self(rawValue: "tls_untrusted")
    package static let answerLost = Self(rawValue: "answer_lost")
    package static let addressRefused = Self(rawValue: "address_refused")

    // our side
    package static let attemptsSpent = Self(rawValue: "attempts_spent")
    package static let tooOld = Self(rawValue: "too_old")
    package static let claimsSpent = Self(rawValue: "claims_spent")
    package static let mediaUnreadable = Self(rawValue: "media_unreadable")
    package static let mediaUnavailable = Self(rawValue: "media_unavailable")
    package static let mediaGone = Self(rawValue: "media_gone")
    package static let mediaDestroyed = Self(rawValue: "media_destroyed")
    package static let transactionMissing = Self(rawValue: "transaction_missing")
    package static let evidenceUnavailable = Self(rawValue: "evidence_unavailable")
    package static let credentialUnavailable = Self(rawValue: "credential_unavailable")
    package static let credentialRenewed = Self(rawValue: "credential_renewed")
    /// The circuit breaker's: too many failures in a row.
    package static let keepsFailing = Self(rawValue: "endpoint_keeps_failing")
    package static let stopped = Self(rawValue: "stopped")
}
