import SessionDomain

/// One entry of a policy's section: how it is read, written and explained, in one place.
struct PolicyField<Section>: Sendable {
    enum Kind: Sendable {
        case number(any WritableKeyPath<Section, Double> & Sendable, ClosedRange<Double>)
        /// null: there is no such rule.
        case optional(any WritableKeyPath<Section, Double?> & Sendable, ClosedRange<Double>)
        case whole(any WritableKeyPath<Section, Int> & Sendable, ClosedRange<Int>)
        case flag(any WritableKeyPath<Section, Bool> & Sendable)
        case pageRule(any WritableKeyPath<Section, PageRule> & Sendable)
    }

    let key: String
    let kind: Kind
    /// For the person who edits the file.
    let comment: String

    init(_ key: String, _ kind: Kind, _ comment: String) {
        self.key = key
        self.kind = kind
        self.comment = comment
    }

    func read(_ object: PolicyObject, into section: inout Section) throws(PolicyProblem) {
        guard let value = object.value(key) else { return }
        switch kind {
        case .number(let path, let range): section[keyPath: path] = try object.number(value, key, in: range)
        case .optional(let path, let range):
            section[keyPath: path] = value == .null ? nil : try object.number(value, key, in: range)
        case .whole(let path, let range):
            let number = try object.number(value, key, in: Double(range.lowerBound)...Double(range.upperBound))
            guard let whole = Int(exactly: number) else { throw object.wrong(key, "a whole number") }
            section[keyPath: path] = whole
        case .flag(let path):
            guard let flag = value.asBool else { throw object.wrong(key, "true or false") }
            section[keyPath: path] = flag
        case .pageRule(let path):
            guard let text = value.asString else { throw object.wrong(key, "the name of a rule") }
            guard let rule = PageRule(rawValue: text) else {
                let known = PageRule.allCases.map(\.rawValue)
                throw PolicyProblem(
                    .unknownName, at: object.place(key), "The entry \(object.place(key)) names a rule that is not known.",
                    remedy: Spelling.remedy(for: text, in: known, shown: Spelling.quoted))
            }
            section[keyPath: path] = rule
        }
    }

    func json(_ section: Section) -> JSONValue {
        switch kind {
        case .number(let path, _): .double(section[keyPath: path])
        case .optional(let path, _): section[keyPath: path].map { .double($0) } ?? .null
        case .whole(let path, _): .integer(Int64(section[keyPath: path]))
        case .flag(let path): .bool(section[keyPath: path])
        case .pageRule(let path): .string(section[keyPath: path].rawValue)
        }
    }
}

/// A part of a policy that is a list of entries.
protocol PolicySection: Sendable, Hashable {
    init()
    static var fields: [PolicyField<Self>] { get }
}

extension PolicySection {
    init(_ json: JSONValue, at path: String) throws(PolicyProblem) {
        self.init()
        let object = try PolicyObject(json, at: path, keys: Self.fields.map(\.key))
        for field in Self.fields { try field.read(object, into: &self) }
    }

    var json: JSONValue { .members(Self.fields.map { .init($0.key, $0.json(self)) }) }

    /// The entries as JSON5, each under its comment.
    var template: String {
        Self.fields.map { "    // \($0.comment)\n    \($0.key): \($0.json(self).canonical),\n" }.joined()
    }
}
