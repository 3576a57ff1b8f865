/// Reads one object of a configuration: keys in snake_case, camelCase or CAPITALS, each once, none that is not known.
struct ConfigurationReader {
    private let path: String
    private var members: [(key: String, value: JSONValue)] = []

    init(_ json: JSONValue, at path: String, keys known: [String]) throws(ConfigurationProblem) {
        self.path = path
        guard case .object(let given) = json else {
            throw ConfigurationProblem(
                .notAnObject, at: path.isEmpty ? "configuration" : path,
                "\(path.isEmpty ? "The configuration" : "The setting \(path)") is not an object.",
                remedy: "Write it as a JSON object.")
        }
        for member in given {
            let key = Self.normalised(member.key)
            let place = Self.join(path, key)
            guard known.contains(key) else { throw Self.unknown(member.key, in: path, known: known) }
            guard !members.contains(where: { $0.key == key }) else {
                throw ConfigurationProblem(
                    .duplicateKey, at: place, "The setting \(place) is given twice, in two spellings.",
                    remedy: "Keep one of them.")
            }
            if member.value != .null { members.append((key, member.value)) }
        }
    }

    func value(_ key: String) -> JSONValue? { members.first { $0.key == key }?.value }

    func string(_ key: String) throws(ConfigurationProblem) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.asString else { throw wrong(key, "a string") }
        return text
    }

    func bool(_ key: String) throws(ConfigurationProblem) -> Bool? {
        guard let value = value(key) else { return nil }
        guard let flag = value.asBool else { throw wrong(key, "true or false") }
        return flag
    }

    func double(_ key: String) throws(ConfigurationProblem) -> Double? {
        guard let value = value(key) else { return nil }
        guard let number = value.asDouble else { throw wrong(key, "a number") }
        return number
    }

    func integer(_ key: String) throws(ConfigurationProblem) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let number = value.asInteger else { throw wrong(key, "a whole number") }
        return number
    }

    func name<Name: RawRepresentable<String> & CaseIterable>(_ key: String, as type: Name.Type) throws(ConfigurationProblem)
        -> Name?
    {
        guard let text = try string(key) else { return nil }
        guard let name = Name(rawValue: text) else {
            throw Self.unknownName(text, at: place(key), known: Name.allCases.map(\.rawValue))
        }
        return name
    }

    func place(_ key: String) -> String { Self.join(path, key) }

    func missing(_ key: String) -> ConfigurationProblem {
        ConfigurationProblem(.missing, at: place(key), "The setting \(place(key)) is missing.", remedy: "Add \(place(key)).")
    }

    func wrong(_ key: String, _ wanted: String) -> ConfigurationProblem {
        ConfigurationProblem(
            .wrongType, at: place(key), "The setting \(place(key)) has the wrong type.", remedy: "Make it \(wanted).")
    }

    static func unknownName(_ text: String, at place: String, known: [String]) -> ConfigurationProblem {
        ConfigurationProblem(
            .unknownName, at: place, "The setting \(place) holds a name that is not known.",
            remedy: Spelling.remedy(for: text, in: known, shown: Spelling.quoted))
    }

    private static func unknown(_ key: String, in path: String, known: [String]) -> ConfigurationProblem {
        let printable = key.utf8.count <= 64 && key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        let name = printable ? " \"\(join(path, key))\"" : ""
        return ConfigurationProblem(
            .unknownKey, at: path, "The configuration has a setting\(name) that is not known.",
            remedy: Spelling.remedy(for: normalised(key), in: known, lead: "Known here: ", shown: Spelling.quoted))
    }

    private static func join(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// `phoneStraight` and `USE_CARD_DETECTION` become `phone_straight` and `use_card_detection`.
    static func normalised(_ key: String) -> String {
        let isCapitals = !key.utf8.contains { (0x61...0x7A).contains($0) }
        var units: [UInt8] = []
        for unit in key.utf8 {
            if (0x41...0x5A).contains(unit) {
                if !isCapitals, !units.isEmpty { units.append(UInt8(ascii: "_")) }
                units.append(unit | 0x20)
            } else {
                units.append(unit)
            }
        }
        return String(decoding: units, as: UTF8.self)
    }
}

/// Finds the name that was probably meant.
package enum Spelling {
    /// What to say to somebody who named what is not known: the name that was probably meant, or all there are.
    ///
    /// - Parameters:
    ///   - shown: how a name is written; as it is, where nothing else is said.
    ///   - lead: before the list of names.
    package static func remedy(
        for text: String, in known: [String], lead: String = "Use one of: ", shown: (String) -> String = { $0 }
    ) -> String {
        if let name = nearest(to: text, in: known) { return "Did you mean \(shown(name))?" }
        return "\(lead)\(known.joined(separator: ", "))."
    }

    /// A name in quotation marks.
    package static func quoted(_ name: String) -> String { "\"\(name)\"" }

    /// The known name within a third of its length (at least two) edits of `text`; nil when none is that near.
    package static func nearest(to text: String, in known: [String]) -> String? {
        guard text.utf8.count <= 64 else { return nil }
        let candidates = known.map { (name: $0, distance: distance(Array(text.utf8), Array($0.utf8))) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(2, best.name.utf8.count / 3) ? best.name : nil
    }

    /// Levenshtein's distance.
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, unit) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let previous = row[column + 1]
                row[column + 1] = min(diagonal + (right[column] == unit ? 0 : 1), previous + 1, row[column] + 1)
                diagonal = previous
            }
        }
        return row[right.count]
    }
}
