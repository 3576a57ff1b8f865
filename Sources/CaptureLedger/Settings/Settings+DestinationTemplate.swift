import DeliveryMachine

extension Settings {
    /// Every setting of a destination with its default, as comments.
    static var destinationTemplate: String {
        let retry = RetryPolicy()
        let breaker = BreakerPolicy()
        let transfer = TransferSettings()
        let answer = ResponseMapping()
        return """
                //   status_url: null,  // where to ask about one delivery; {key} stands for its idempotency key
                //   auth: {  // secrets stay in files: a path, "credential:NAME" (systemd), or the setting with _command in place of _file
                //     bearer_file: null, next_bearer_file: null,  // the next one is tried once the first was refused
                //     oauth2: null,  // { token_url, client_id, client_secret_file, client_authentication, scope, audience }
                //     signature: null,  // { secret_file, next_secret_file }: Standard Webhooks
                //   },
                //   headers: {},
                //   allow_addresses: [],  // private addresses or ranges ("10.0.0.0/8") and plain-http hosts that are meant
                //   limits: {
                //     in_flight: \(Destination(name: DestinationName("verifier"), kind: .verifier, url: "").inFlightLimit), requests_per_second: null, bytes_per_second: null,
                //   },
                //   retry: {
                //     base_ms: \(retry.baseMilliseconds), cap_ms: \(retry.capMilliseconds), attempt_limit: \(retry.attemptLimit),
                //     age_limit_ms: \(retry.ageLimitMilliseconds), probe_interval_ms: \(retry.probeIntervalMilliseconds), poll_ms: \(retry.pollMilliseconds),
                //   },
                //   breaker: {  // after so many failures in a row it is left alone, for twice as long each time
                //     failure_limit: \(breaker.failureLimit), base_ms: \(breaker.baseMilliseconds), cap_ms: \(breaker.capMilliseconds),
                //   },
                //   transfer: {
                //     connect_timeout_ms: \(transfer.connectTimeoutMilliseconds), total_timeout_ms: \(transfer.totalTimeoutMilliseconds),
                //     low_speed_bytes_per_second: \(transfer.lowSpeedBytesPerSecond), low_speed_seconds: \(transfer.lowSpeedSeconds),
                //     answer_limit_bytes: \(transfer.answerLimitBytes), http_version: "\(transfer.httpVersion.rawValue)", minimum_tls: "\(transfer.minimumTLS.rawValue)",
                //     ca_file: null, client_certificate_file: null, client_key_file: null,
                //     pinned_public_key: null,  // "sha256//…"
                //     proxy: null, proxy_credential_file: null,  // user:password
                //   },
                //   response: {  // where the answer holds what, as JSON Pointers; false: it has no such field
                //     outcome: "\(answer.outcome)", verified: ["verified"], rejected: ["rejected"], failed: ["failed"],
                //     payload: "\(answer.payload)", reason: "\(answer.reason ?? "")", staff_reason: "\(answer.staffReason)", message: "\(answer.message)",
                //     drop_pieces: "\(answer.dropPieces)", capture_id: "\(answer.captureID ?? "")", status_address: "\(answer.statusAddress)",
                //   },
            """
    }
}
