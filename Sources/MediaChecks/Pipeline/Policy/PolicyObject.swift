import SessionDomain

/// One object of a policy: each key once and none that is not known.
struct PolicyObject {
    let path: String
    private let members: [JSONValue.Member]

    init(_ json: JSONValue, at path: String, keys known: [String]) throws(PolicyProblem) {
        guard let members = json.asMembers else {
            throw PolicyProblem(
                .wrongType, at: path, path.isEmpty ? "The policy is not an object." : "The entry \(path) is not an object.",
                remedy: "Write it as { \"key\": value }.")
        }
        for member in members where !known.contains(member.key) {
            throw PolicyProblem(
                .unknownKey, at: path, "The policy has an entry\(Self.named(member.key, in: path)) that is not known.",
                remedy: Spelling.remedy(for: member.key, in: known, lead: "Known here: ", shown: Spelling.quoted))
        }
        self.path = path
        self.members = members
    }

    /// nil where the key is absent; `.null` where it says null.
    func value(_ key: String) -> JSONValue? { members.first { $0.key == key }?.value }

    func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func wrong(_ key: String, _ wanted: String) -> PolicyProblem {
        PolicyProblem(
            .wrongType, at: place(key), "The entry \(place(key)) of the policy has the wrong type.",
            remedy: "Make it \(wanted).")
    }

    func number(_ value: JSONValue, _ key: String, in range: ClosedRange<Double>) throws(PolicyProblem) -> Double {
        guard let number = value.asDouble else { throw wrong(key, "a number") }
        guard range.contains(number) else {
            throw PolicyProblem(
                .outOfRange, at: place(key), "The entry \(place(key)) of the policy is out of its range.",
                remedy: "Use a number from \(JSONValue.double(range.lowerBound).canonical) to "
                    + "\(JSONValue.double(range.upperBound).canonical).")
        }
        return number
    }

    /// Repeats only what can do no harm on a terminal.
    private static func named(_ key: String, in path: String) -> String {
        guard key.utf8.count <= 64, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return "" }
        return " \"\(path.isEmpty ? key : "\(path).\(key)")\""
    }
}
