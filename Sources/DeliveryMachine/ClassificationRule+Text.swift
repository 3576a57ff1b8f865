/// A row as a table prints it.
extension ClassificationRule {
    /// When it holds, such as `curl 28, no byte sent` or `status 429, 503`.
    package var conditionText: String {
        var parts: [String] = []
        if condition.kind == .statusQuery { parts.append("asked about") }
        if let fault = condition.fault { parts.append("our side: \(fault.rawValue)") }
        let codes = condition.codes.filter { $0 != 0...0 }
        if !codes.isEmpty { parts.append("curl " + Self.spans(codes, from: -1_000, to: 1_000)) }
        if !condition.statuses.isEmpty { parts.append("status " + Self.spans(condition.statuses, from: 0, to: 1_000)) }
        if let finding = condition.finding { parts.append("answer: \(finding.rawValue)") }
        if let sent = condition.hasSentBytes { parts.append(sent ? "bytes sent" : "no byte sent") }
        return parts.joined(separator: ", ")
    }

    package var actionText: String {
        switch action {
        case .deliver: "deliver"
        case .poll: "ask its status address"
        case .retry: "retry"
        case .throttle: "retry, throttle the destination"
        case .retryOnNewConnection: "retry on a new connection"
        case .contractBreak: "contract break: retry, two in a row pause the destination"
        case .sendAgain: "send again"
        case .tryLater: "retry, spends nothing"
        case .goOnLater: "go on in the next run, spends no attempt"
        case .renewCredential: "renew the credential once, then pause the destination"
        case .pause(.credential): "pause the destination until another credential"
        case .pause(.probe): "pause the destination, probe now and then"
        case .pause(.person): "disable the destination until a person acts"
        case .park(let cause): "park: \(cause.rawValue)"
        }
    }

    private static func spans<Value: FixedWidthInteger>(
        _ spans: [ClosedRange<Value>], from least: Value, to most: Value
    ) -> String {
        spans.map { span in
            if span.lowerBound == span.upperBound { return "\(span.lowerBound)" }
            if span.lowerBound < least { return "≤ \(span.upperBound)" }
            if span.upperBound > most { return "≥ \(span.lowerBound)" }
            return "\(span.lowerBound)–\(span.upperBound)"
        }.joined(separator: ", ")
    }
}
