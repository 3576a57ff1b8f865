import SessionDomain

/// One object of the settings while it is read: every key must be known, and a value has the type that is asked for.
struct SettingsObject {
    let path: String
    private let members: [JSONValue.Member]

    init(_ json: JSONValue, at path: String, keys known: [String]) throws(SettingsProblem) {
        try self.init(json, at: path)
        for member in members where !known.contains(member.key) {
            let isShowable = member.key.utf8.count <= 64 && member.key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            let name = isShowable ? " \(Self.join(path, member.key))" : path.isEmpty ? "" : " in \(path)"
            throw SettingsProblem(
                .unknownSetting, at: path, "There is no setting\(name).",
                remedy: Spelling.remedy(for: member.key, in: known, lead: "Known here: ") { Self.join(path, $0) })
        }
    }

    /// Any keys, such as the names of destinations.
    init(_ json: JSONValue, at path: String) throws(SettingsProblem) {
        self.path = path
        guard let members = json.asMembers else {
            let what = path.isEmpty ? "The settings are" : "The setting \(path) is"
            throw SettingsProblem(.wrongType, at: path, "\(what) not an object.", remedy: "Write it in braces: { … }.")
        }
        self.members = members
    }

    var keys: [String] { members.map(\.key) }

    func place(_ key: String) -> String { Self.join(path, key) }

    /// nil when it is absent or null.
    func value(_ key: String) -> JSONValue? {
        let value = members.first { $0.key == key }?.value
        return value == .null ? nil : value
    }

    func text(_ key: String) throws(SettingsProblem) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.asString else { throw wrong(key, "a text in quotes") }
        guard !text.isEmpty else { throw wrong(key, "a text that is not empty, or left out") }
        return text
    }

    func texts(_ key: String) throws(SettingsProblem) -> [String]? {
        guard let value = value(key) else { return nil }
        guard let list = value.asArray else { throw wrong(key, "a list of texts") }
        var texts: [String] = []
        for item in list {
            guard let text = item.asString else { throw wrong(key, "a list of texts") }
            texts.append(text)
        }
        return texts
    }

    func flag(_ key: String) throws(SettingsProblem) -> Bool? {
        guard let value = value(key) else { return nil }
        guard let flag = value.asBool else { throw wrong(key, "true or false") }
        return flag
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) throws(SettingsProblem) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let number = value.asInteger else { throw wrong(key, "a whole number") }
        guard range.contains(number) else { throw outside(key, "\(range.lowerBound)", "\(range.upperBound)") }
        return number
    }

    func number(_ key: String, in range: ClosedRange<Double>) throws(SettingsProblem) -> Double? {
        guard let value = value(key) else { return nil }
        guard let number = value.asDouble else { throw wrong(key, "a number") }
        guard range.contains(number) else { throw outside(key, "\(range.lowerBound)", "\(range.upperBound)") }
        return number
    }

    func object(_ key: String, keys: [String]) throws(SettingsProblem) -> SettingsObject? {
        guard let value = value(key) else { return nil }
        return try SettingsObject(value, at: place(key), keys: keys)
    }

    func wrong(_ key: String, _ wanted: String) -> SettingsProblem {
        SettingsProblem(
            .wrongType, at: place(key), "The setting \(place(key)) has the wrong type.", remedy: "Make it \(wanted).")
    }

    private func outside(_ key: String, _ low: String, _ high: String) -> SettingsProblem {
        SettingsProblem(
            .outOfRange, at: place(key), "The setting \(place(key)) is out of range.",
            remedy: "Use a value from \(low) to \(high).")
    }

    static func join(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}
