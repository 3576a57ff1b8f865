import DeliveryMachine
import SessionDomain

extension DestinationSettings {
    /// - Parameters:
    ///   - override: an address from the environment.
    ///   - variable: the name it came from.
    init(
        json: JSONValue, name: String, override: String?, variable: String, at place: String? = nil
    ) throws(SettingsProblem) {
        let object = try SettingsObject(
            json, at: place ?? "destinations.\(name)",
            keys: [
                "url", "kind", "status_url", "auth", "headers", "allow_addresses", "in_flight_limit", "limits", "media_rule",
                "retry", "breaker", "transfer", "response",
            ])
        guard name != Self.reporterName else {
            throw SettingsProblem(
                .unknownName, at: object.path, "The name reporter means where analytics events go and no verifier.",
                remedy: "Give the endpoint another name, or write it as the setting reporter.")
        }
        guard name != CaptureConfiguration.host else {
            throw SettingsProblem(
                .unknownName, at: object.path, "The name host means a verifier in a host's own process and no endpoint.",
                remedy: "Give the endpoint another name, such as verifier.")
        }
        let kind: Destination.Kind
        if let text = try object.text("kind") {
            kind = try Settings.name(text, object, "kind", Destination.Kind.self)
        } else if let known = Destination.Kind(rawValue: name) {
            kind = known
        } else {
            throw SettingsProblem(
                .missing, at: object.place("kind"), "The setting \(object.place("kind")) is missing.",
                remedy: "Write kind: \"verifier\" or kind: \"hologram\".")
        }
        let written = try object.text("url")
        guard let url = override ?? written else {
            throw SettingsProblem(
                .missing, at: object.place("url"), "The setting \(object.place("url")) is missing.",
                remedy: "Write the endpoint's address there, or remove the destination.")
        }
        let allowed = try object.texts("allow_addresses") ?? []
        try AddressRule.checkAllowed(allowed, at: object.place("allow_addresses"))
        try AddressRule.check(url, at: override == nil ? object.place("url") : variable, allowed: allowed)
        self.init(endpoint: Destination(name: DestinationName(name), kind: kind, url: url))
        endpoint.transfer.allowedAddresses = allowed
        if let status = try object.text("status_url") {
            try AddressRule.check(status, at: object.place("status_url"), allowed: allowed)
            endpoint.statusURL = status
        }
        if let rule = try object.text("media_rule") {
            endpoint.destroysMediaAfterSending =
                try Settings.name(rule, object, "media_rule", HologramMediaRule.self) == .strict
        }
        try readAuth(object)
        try readLimits(object)
        try readHeaders(object)
        try readRetry(object)
        try readBreaker(object)
        try readTransfer(object)
        try readResponse(object)
    }

    mutating func readHeaders(_ object: SettingsObject) throws(SettingsProblem) {
        guard let value = object.value("headers") else { return }
        let fields = try SettingsObject(value, at: object.place("headers"))
        let ours = [
            "authorization", "content-type", "content-length", "transfer-encoding", "host", "idempotency-key", "traceparent",
            "webhook-id", "webhook-timestamp", "webhook-signature",
        ]
        for name in fields.keys {
            let isToken = !name.isEmpty && name.utf8.allSatisfy { $0 == 0x2D || $0 == 0x5F || Self.isAlphanumeric($0) }
            guard isToken, !ours.contains(name.lowercased()), let text = try fields.text(name),
                text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else {
                throw SettingsProblem(
                    .unknownName, at: fields.path, "The setting \(fields.path) holds a header that cannot be sent.",
                    remedy: "Use visible ASCII, and not \(ours.joined(separator: ", ")): those are set by this program.")
            }
            headers.append(Header(name, text))
        }
    }

    private mutating func readBreaker(_ object: SettingsObject) throws(SettingsProblem) {
        guard let breaker = try object.object("breaker", keys: ["failure_limit", "base_ms", "cap_ms"]) else { return }
        let time: ClosedRange<Int64> = 1...86_400_000
        if let limit = try breaker.integer("failure_limit", in: 1...10_000) { endpoint.breaker.failureLimit = Int(limit) }
        endpoint.breaker.baseMilliseconds = try breaker.integer("base_ms", in: time) ?? endpoint.breaker.baseMilliseconds
        endpoint.breaker.capMilliseconds = try breaker.integer("cap_ms", in: time) ?? endpoint.breaker.capMilliseconds
        guard endpoint.breaker.baseMilliseconds <= endpoint.breaker.capMilliseconds else {
            throw SettingsProblem(
                .outOfRange, at: breaker.place("cap_ms"), "The setting \(breaker.place("cap_ms")) is below base_ms.",
                remedy: "Make it at least \(endpoint.breaker.baseMilliseconds).")
        }
    }

    private mutating func readRetry(_ object: SettingsObject) throws(SettingsProblem) {
        let keys = ["base_ms", "cap_ms", "attempt_limit", "age_limit_ms", "probe_interval_ms", "poll_ms"]
        guard let retry = try object.object("retry", keys: keys) else { return }
        let time: ClosedRange<Int64> = 1...366 * 86_400_000
        endpoint.retry.baseMilliseconds = try retry.integer("base_ms", in: time) ?? endpoint.retry.baseMilliseconds
        endpoint.retry.capMilliseconds = try retry.integer("cap_ms", in: time) ?? endpoint.retry.capMilliseconds
        if let limit = try retry.integer("attempt_limit", in: 1...10_000) { endpoint.retry.attemptLimit = Int(limit) }
        endpoint.retry.ageLimitMilliseconds = try retry.integer("age_limit_ms", in: time) ?? endpoint.retry.ageLimitMilliseconds
        endpoint.retry.probeIntervalMilliseconds =
            try retry.integer("probe_interval_ms", in: time) ?? endpoint.retry.probeIntervalMilliseconds
        endpoint.retry.pollMilliseconds = try retry.integer("poll_ms", in: time) ?? endpoint.retry.pollMilliseconds
    }

    private mutating func readResponse(_ object: SettingsObject) throws(SettingsProblem) {
        let keys = [
            "outcome", "verified", "rejected", "failed", "payload", "reason", "staff_reason", "message", "drop_pieces",
            "capture_id", "status_address",
        ]
        guard let response = try object.object("response", keys: keys) else { return }
        func pointer(_ key: String, _ place: inout String) throws(SettingsProblem) {
            guard let text = try response.text(key) else { return }
            guard text.hasPrefix("/") else { throw response.wrong(key, "a JSON Pointer (RFC 6901), such as /outcome") }
            place = text
        }
        func optional(_ key: String, _ place: inout String?) throws(SettingsProblem) {
            var text = place ?? ""
            if response.value(key)?.asBool == false {
                place = nil
                return
            }
            try pointer(key, &text)
            place = text.isEmpty ? nil : text
        }
        try pointer("outcome", &endpoint.mapping.outcome)
        endpoint.mapping.verifiedValues = try response.texts("verified") ?? endpoint.mapping.verifiedValues
        endpoint.mapping.rejectedValues = try response.texts("rejected") ?? endpoint.mapping.rejectedValues
        endpoint.mapping.failedValues = try response.texts("failed") ?? endpoint.mapping.failedValues
        try pointer("payload", &endpoint.mapping.payload)
        try optional("reason", &endpoint.mapping.reason)
        try pointer("staff_reason", &endpoint.mapping.staffReason)
        try pointer("message", &endpoint.mapping.message)
        try pointer("drop_pieces", &endpoint.mapping.dropPieces)
        try optional("capture_id", &endpoint.mapping.captureID)
        try pointer("status_address", &endpoint.mapping.statusAddress)
    }
}
