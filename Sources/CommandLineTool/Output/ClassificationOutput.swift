import DeliveryMachine
import SessionDomain

extension ClassificationRule {
    var json: JSONValue {
        let when: JSONValue = [
            "request": .text(condition.kind?.rawValue), "curl_codes": .array(condition.codes.map { $0.json }),
            "statuses": .array(condition.statuses.map { $0.json }),
            "bytes_sent": condition.hasSentBytes.map { .bool($0) } ?? .null,
            "fault": .text(condition.fault?.rawValue), "finding": .text(condition.finding?.rawValue),
        ]
        let object: JSONValue = [
            "when": when, "certainty": .string(certainty.rawValue), "action": .string(action.name),
            "endpoint": .string(sign.rawValue), "class": .string(explanation.rawValue), "text": .string(text),
        ]
        return object.adding("detail", action.detail.map { .string($0) })
    }

    var row: [String] {
        [
            conditionWords, Words.plain(certainty.rawValue),
            ([Words.plain(action.name)] + (action.detail.map { [Words.plain($0)] } ?? [])).joined(separator: ": "),
            explanation.rawValue, text,
        ]
    }

    private var conditionWords: String {
        var words: [String] = []
        if let kind = condition.kind { words.append(Words.plain(kind.rawValue)) }
        if let fault = condition.fault { words.append(Words.plain(fault.rawValue)) }
        // a code of 0 beside statuses is a complete answer, which the statuses say already
        if !condition.codes.isEmpty, condition.statuses.isEmpty {
            words.append("curl " + condition.codes.map(\.words).joined(separator: ", "))
        }
        if !condition.statuses.isEmpty { words.append(condition.statuses.map(\.words).joined(separator: ", ")) }
        if let sent = condition.hasSentBytes { words.append(sent ? "bytes sent" : "nothing sent") }
        if let finding = condition.finding { words.append(Words.plain(finding.rawValue)) }
        return words.isEmpty ? "anything else" : words.joined(separator: ", ")
    }
}

extension RuleAction {
    var name: String {
        switch self {
        case .deliver: "deliver"
        case .poll: "poll"
        case .retry: "retry"
        case .throttle: "throttle"
        case .retryOnNewConnection: "retry_on_new_connection"
        case .contractBreak: "contract_break"
        case .sendAgain: "send_again"
        case .tryLater: "try_later"
        case .goOnLater: "go_on_later"
        case .renewCredential: "renew_credential"
        case .pause: "pause"
        case .park: "park"
        }
    }

    /// What lifts a pause, or why something is parked.
    var detail: String? {
        switch self {
        case .pause(.credential): "until_another_credential"
        case .pause(.probe): "until_a_probe_gets_through"
        case .pause(.person): "until_a_person_acts"
        case .park(let cause): cause.rawValue
        default: nil
        }
    }
}

extension ClosedRange where Bound: BinaryInteger {
    fileprivate var json: JSONValue { .array([.whole(lowerBound), .whole(upperBound)]) }
    fileprivate var words: String {
        // the rows that catch what is left reach as far as numbers do
        if lowerBound < -1_000_000 { return "below \(upperBound + 1)" }
        if upperBound > 1_000_000 { return "from \(lowerBound)" }
        return lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)–\(upperBound)"
    }
}
