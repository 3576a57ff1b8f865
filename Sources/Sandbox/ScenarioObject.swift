/// One object of a scenario, read strictly.
struct ScenarioObject {
    private let members: [SandboxJSON.Member]
    private let place: String

    init(_ json: SandboxJSON, _ place: String, known: [String]) throws(SandboxError) {
        guard case .object(let members) = json else { throw .scenario(place, "is not an object") }
        self.members = members
        self.place = place
        for member in members where !known.contains(member.name) {
            throw .scenario(place, "has an unknown member '\(member.name)'", suggestion(for: member.name, among: known))
        }
    }

    subscript(name: String) -> SandboxJSON? { members.first { $0.name == name }?.value }

    func has(_ name: String) -> Bool { self[name] != nil }

    func path(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

    func text(_ name: String) throws(SandboxError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.text else { throw .scenario(path(name), "is not a string") }
        return text
    }

    func textOrNumber(_ name: String) throws(SandboxError) -> String? {
        if case .number(let digits)? = self[name] { return digits }
        return try text(name)
    }

    func integer(_ name: String, atLeast minimum: Int) throws(SandboxError) -> Int? {
        guard let value = self[name] else { return nil }
        guard let number = value.integer, number >= minimum else {
            throw .scenario(path(name), "is not a whole number from \(minimum) on")
        }
        return number
    }

    func flag(_ name: String) throws(SandboxError) -> Bool {
        guard let value = self[name] else { return false }
        guard case .bool(let flag) = value else { throw .scenario(path(name), "is neither true nor false") }
        return flag
    }

    func array(_ name: String) throws(SandboxError) -> [SandboxJSON] {
        guard let value = self[name] else { return [] }
        guard case .array(let elements) = value else { throw .scenario(path(name), "is not a list") }
        return elements
    }

    func object(_ name: String, known: [String]) throws(SandboxError) -> ScenarioObject? {
        guard let value = self[name] else { return nil }
        return try ScenarioObject(value, path(name), known: known)
    }

    func choice(_ name: String, among known: [String]) throws(SandboxError) -> String? {
        guard let text = try text(name) else { return nil }
        guard known.contains(text) else {
            throw .scenario(path(name), "has an unknown value '\(text)'", suggestion(for: text, among: known))
        }
        return text
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _: Choice.Type
    ) throws(SandboxError) -> Choice? {
        try choice(name, among: Choice.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
    }

    func pieces(_ name: String) throws(SandboxError) -> [String] {
        var pieces: [String] = []
        for element in try array(name) {
            guard let piece = element.text else { throw .scenario(path(name), "holds something else than strings") }
            guard knownPieces.contains(piece) else {
                throw .scenario(path(name), "has an unknown piece '\(piece)'", suggestion(for: piece, among: knownPieces))
            }
            pieces.append(piece)
        }
        return pieces
    }

    func headers(_ name: String) throws(SandboxError) -> [SandboxScenario.HeaderField] {
        guard let value = self[name] else { return [] }
        guard case .object(let members) = value else { throw .scenario(path(name), "is not an object") }
        var fields: [SandboxScenario.HeaderField] = []
        for member in members {
            guard let text = member.value.text, !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
                throw .scenario(path(name) + "." + member.name, "is not a header value on one line")
            }
            fields.append(.init(member.name, text))
        }
        return fields
    }
}
