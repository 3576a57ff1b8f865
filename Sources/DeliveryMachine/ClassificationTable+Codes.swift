/// Exchanges that did not complete: by libcurl's code and by whether a byte of the body left.
extension ClassificationTable {
    static let codeRows: [ClassificationRule] = [
        .init(
            .codes([16, 18, 52, 55, 56, 65, 92, 95]), .unknown, .retry, .fails, .answerLost,
            "the connection broke or the answer was cut: it may have arrived"),
        .init(
            .codes([58, 60, 77, 90, 91, 98], sent: false), .notSent, .pause(.probe), .unclear, .untrusted,
            "the endpoint's certificate or our own was refused: no other delivery would fare better"),
        .init(
            .codes([5, 6, 7], sent: false), .notSent, .tryLater, .fails, .notConnected,
            "no address or no connection: nothing was sent"),
        .init(
            .codes([28], sent: false), .notSent, .tryLater, .fails, .notConnected,
            "the time ran out while connecting: nothing was sent"),
        .init(
            .codes([35, 59, 64, 66, 82, 83], sent: false), .notSent, .tryLater, .fails, .handshakeFailed,
            "the TLS handshake did not end: nothing was sent"),
        .init(
            .codes([96, 97], sent: false), .notSent, .tryLater, .fails, .notConnected,
            "the proxy or QUIC did not connect: nothing was sent"),
        .init(
            .codes([28], sent: true), .unknown, .retry, .fails, .answerLost,
            "the time ran out after bytes were sent: it may have arrived"),
        .init(
            .codes([1, 8, 23, 27, 42, 61, 63], sent: true), .unknown, .retry, .fails, .answerLost,
            "the answer could not be read after bytes were sent: it may have arrived"),
        .init(
            .codes([1, 8, 23, 27, 42, 61, 63], sent: false), .notSent, .tryLater, .fails, .notConnected,
            "what came back could not be read, before a byte was sent"),
        .init(
            RuleCondition(codes: [1...Int32.max, Int32.min...(-1)], hasSentBytes: true), .unknown, .retry, .fails,
            .answerLost, "any other code after bytes were sent: it may have arrived, whatever the code says"),
        .init(
            RuleCondition(codes: [1...Int32.max, Int32.min...(-1)], hasSentBytes: false), .notSent, .tryLater, .fails,
            .notConnected, "any other code before a byte was sent: nothing was sent"),
    ]

    static let noFinalStatusRows: [ClassificationRule] = [
        .init(
            .statuses(Int.min...199, 1_000...Int.max), .unknown, .retry, .fails, .answerLost,
            "an exchange without a final status (none, 1xx, or none of HTTP's): it may have arrived")
    ]
}
