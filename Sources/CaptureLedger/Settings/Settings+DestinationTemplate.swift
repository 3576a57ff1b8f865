import DeliveryMachine

extension Settings {
    /// Every setting of a destination with its default, as comments.
    static var destinationTemplate: String {
        let retry = RetryPolicy()
        let transfer = TransferSettings()
        let answer = ResponseMapping()
        return """
                //   status_url: null,  // where to ask about one delivery; {key} stands for its idempotency key
                //   auth: { bearer_file: null },  // a file that holds the token alone
                //   headers: {},
                //   allow_addresses: [],  // private or plain-http hosts that are meant
                //   in_flight_limit: \(Destination(name: DestinationName("verifier"), kind: .verifier, url: "").inFlightLimit),
                //   retry: {
                //     base_ms: \(retry.baseMilliseconds), cap_ms: \(retry.capMilliseconds), attempt_limit: \(retry.attemptLimit),
                //     age_limit_ms: \(retry.ageLimitMilliseconds), probe_interval_ms: \(retry.probeIntervalMilliseconds), poll_ms: \(retry.pollMilliseconds),
                //   },
                //   transfer: {
                //     connect_timeout_ms: \(transfer.connectTimeoutMilliseconds), total_timeout_ms: \(transfer.totalTimeoutMilliseconds),
                //     low_speed_bytes_per_second: \(transfer.lowSpeedBytesPerSecond), low_speed_seconds: \(transfer.lowSpeedSeconds),
                //     answer_limit_bytes: \(transfer.answerLimitBytes), proxy: null, ca_file: null,
                //     client_certificate_file: null, client_key_file: null,
                //   },
                //   response: {  // where the answer holds what, as JSON Pointers; false: it has no such field
                //     outcome: "\(answer.outcome)", verified: ["verified"], rejected: ["rejected"], failed: ["failed"],
                //     payload: "\(answer.payload)", reason: "\(answer.reason ?? "")", staff_reason: "\(answer.staffReason)", message: "\(answer.message)",
                //     drop_pieces: "\(answer.dropPieces)", capture_id: "\(answer.captureID ?? "")", status_address: "\(answer.statusAddress)",
                //   },
            """
    }
}
