/// Answers to the question what became of a delivery, where they mean something else than answers to a delivery.
extension ClassificationTable {
    static let statusQueryRows: [ClassificationRule] = [
        .init(
            .statuses(404...404, 410...410, of: .statusQuery), .answered, .sendAgain, .works, .didNotArrive,
            "404 or 410 of a status address: it did not arrive"),
        .init(
            .statuses(405...405, 501...501, of: .statusQuery), .answered, .sendAgain, .unclear, .statusUnavailable,
            "405 or 501 of a status address: it cannot be asked, so the delivery is sent again with its key"),
        .init(
            .statuses(
                400...400, 402...402, 406...406, 411...420, 422...422, 426...428, 430...499, of: .statusQuery),
            .answered, .sendAgain, .unclear, .statusUnavailable,
            "any other refusal of the question: the delivery is sent again with its key"),
        .init(
            .statuses(500...500, 502...502, 504...510, 512...999, of: .statusQuery), .answered, .retry, .fails,
            .statusUnanswered, "the status address failed: it is asked again"),
    ]
}
