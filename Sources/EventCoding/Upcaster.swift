import SessionDomain

/// Turns the facts of older schema versions into today's, one version at a time.
enum Upcaster {
    static func current(_ facts: JSONValue, of type: EventType, from version: Int) throws(CodingFailure) -> JSONValue {
        var facts = facts
        var version = version
        while version < type.schemaVersion {
            switch (type, version) {
            case (.pieceCaptured, 1): facts = pieceCapturedFrom1(facts)
            // version 1 knew no crop and no fields, and left a confirmed capture alone
            case (.pieceChecked, 1): break
            default: throw CodingFailure(.fieldInvalid, type: type.name, field: "schema_version")
            }
            version += 1
        }
        return facts
    }

    /// Version 1 said `retry` as a string and counted attempts by order alone; it had no orientation and no flags.
    private static func pieceCapturedFrom1(_ facts: JSONValue) -> JSONValue {
        guard let members = facts.asMembers else { return facts }
        var upcast = members.filter { $0.key != "retry" }
        if facts["orientation"] == nil { upcast.append(.init("orientation", .integer(1))) }
        return .members(upcast)
    }
}
