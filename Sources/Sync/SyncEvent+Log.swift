import DeliveryMachine
package import StructuredLog

extension SyncEvent {
    /// One line for a log. Header values, addresses and answers are in none of its fields.
    package func log(to logger: Logger) {
        switch self {
        case .began(let claim, let kind):
            logger.debug("request began", claim.fields + [Field("request", kind.rawValue)])
        case .settled(let claim, let settlement): settlement.log(claim, to: logger)
        case .lostClaim(let claim): logger.warning("another worker took the delivery over", claim.fields)
        case .changed(let destination, let change): change.log(destination, to: logger)
        }
    }
}

extension Settlement {
    fileprivate func log(_ claim: ClaimedDelivery, to logger: Logger) {
        var fields = claim.fields
        if let attempt {
            fields += [
                Field("certainty", attempt.certainty.rawValue), Field("status", attempt.status),
                Field("curl_code", attempt.curlCode), Field("bytes_sent", attempt.bytesSent),
                Field("duration_ms", attempt.finishedAtMilliseconds - attempt.startedAtMilliseconds),
                Field("why", attempt.explanation.rawValue), Field("request", attempt.kind.rawValue),
            ]
            if let asked = attempt.retryAfterMilliseconds { fields.append(Field("retry_after_ms", asked)) }
        }
        fields.append(Field("attempts", work.attempts))
        switch state {
        case .delivered: logger.info("delivered", fields)
        case .waiting(let until, let because):
            logger.notice(
                "to be tried again", fields + [Field("next_attempt_at_ms", until), Field("waits_because", because.rawValue)])
        case .parked(let cause):
            // a key that met another body, or bytes of ours that do not open: somebody must look
            if cause == .keyReused || cause == .mediaUnreadable || cause == .quarantined {
                logger.error("parked", fields + [Field("cause", cause.rawValue)])
            } else {
                logger.warning("parked", fields + [Field("cause", cause.rawValue)])
            }
        }
    }
}

extension DestinationChange {
    fileprivate func log(_ destination: DestinationName, to logger: Logger) {
        switch self {
        case .pause(let pause):
            logger.warning("destination paused", [Field("destination", destination.text), Field("why", pause.reason.rawValue)])
        case .resume: logger.notice("destination resumed", [Field("destination", destination.text)])
        case .breaker(let breaker?):
            logger.notice(
                "destination left alone",
                [
                    Field("destination", destination.text), Field("why", breaker.reason.rawValue),
                    Field("until_ms", breaker.untilMilliseconds), Field("openings", breaker.openings),
                ])
        case .breaker(nil): logger.notice("destination answers again", [Field("destination", destination.text)])
        case .contractBreakWitness, .failuresInARow, .lastDeliveredAt: break
        }
    }
}

extension ClaimedDelivery {
    fileprivate var fields: [Field] {
        [
            Field("delivery", id.text), Field("session_id", session.text), Field("piece", piece.rawValue),
            Field("capture_id", capture.text), Field("destination", destination.text),
        ]
    }
}
