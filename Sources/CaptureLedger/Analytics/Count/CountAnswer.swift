package import SessionDomain

/// The answer to a question, true for ever at its position.
package struct CountAnswer: Sendable, Hashable {
    package struct Group: Sendable, Hashable {
        /// nil: has none, such as a session without a context.
        package let name: String?
        package let captures: Int64
        package let sessions: Int64

        package init(_ name: String?, captures: Int64, sessions: Int64) {
            self.name = name
            self.captures = captures
            self.sessions = sessions
        }
    }

    package struct ListedSession: Sendable, Hashable {
        package let id: String
        package let times: Int64
        /// Where it happened first and last.
        package let firstPosition: Int64
        package let lastPosition: Int64
    }

    package let question: CountQuestion
    package let captures: Int64
    package let sessions: Int64
    /// What lies behind it did not count.
    package let position: Int64
    /// The positions in which the question's time lies; the first is above the last when it holds none.
    package let firstPosition: Int64
    package let lastPosition: Int64
    package let groups: [Group]
    /// In the order in which it happened first; only where it was asked for.
    package let list: [ListedSession]?

    package var number: Int64 { question.unit == .sessions ? sessions : captures }

    package var definition: String { question.definition(firstPosition: firstPosition, lastPosition: lastPosition) }

    package var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("count", .integer(number)), .init("unit", .string(question.unit.rawValue)),
            .init("what", .string(question.what.rawValue)), .init("definition", .string(definition)),
            .init("at_position", .integer(position)), .init("first_position", .integer(firstPosition)),
            .init("last_position", .integer(lastPosition)), .init("time_zone", .string(question.zone.name)),
            .init("since_ms", question.sinceMilliseconds.map { .integer($0) } ?? .null),
            .init("until_ms", question.untilMilliseconds.map { .integer($0) } ?? .null),
        ]
        if let grouping = question.grouping {
            members.append(.init("by", .string(grouping.rawValue)))
            members.append(.init("groups", Self.json(groups, grouping, question.unit)))
        }
        if let list {
            members.append(
                .init(
                    "sessions",
                    .array(
                        list.map {
                            .members([
                                .init("session_id", .string($0.id)), .init("times", .integer($0.times)),
                                .init("first_position", .integer($0.firstPosition)),
                                .init("last_position", .integer($0.lastPosition)),
                            ])
                        })))
        }
        return .members(members)
    }

    package static func json(
        _ groups: [Group], _ grouping: CountQuestion.Grouping, _ unit: CountQuestion.Unit
    ) -> JSONValue {
        .array(
            groups.map {
                .members([
                    .init(grouping.rawValue, $0.name.map { .string($0) } ?? .null),
                    .init("count", .integer(unit == .sessions ? $0.sessions : $0.captures)),
                ])
            })
    }
}
