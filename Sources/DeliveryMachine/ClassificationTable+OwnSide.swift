/// Transfers that our own side ended.
extension ClassificationTable {
    static let ownSideRows: [ClassificationRule] = [
        .init(
            .fault(.mediaUnreadable, sent: false), .notSent, .park(.mediaUnreadable), .unclear, .mediaUnreadable,
            "our own copy does not open: nothing of it is sent"),
        .init(
            .fault(.mediaUnreadable, sent: true), .unknown, .park(.mediaUnreadable), .unclear, .mediaUnreadable,
            "our own copy stopped opening half-way: the rest is not sent"),
        .init(
            .fault(.mediaUnavailable, sent: false), .notSent, .tryLater, .unclear, .mediaUnavailable,
            "our own copy cannot be reached at present: the disk, descriptors, permissions"),
        .init(
            .fault(.mediaUnavailable, sent: true), .unknown, .tryLater, .unclear, .mediaUnavailable,
            "our own copy could not be reached any more half-way: the rest is sent another time"),
        .init(
            .fault(.mediaGone, sent: false), .notSent, .park(.mediaExpired), .unclear, .mediaGone,
            "our own copy is gone on purpose"),
        .init(
            .fault(.mediaGone, sent: true), .unknown, .park(.mediaExpired), .unclear, .mediaGone,
            "our own copy went half-way, on purpose"),
        .init(
            .fault(.addressRefused, sent: false), .notSent, .pause(.probe), .unclear, .addressRefused,
            "the address is private or unprotected, and not allowed by name"),
        .init(
            .fault(.configuration, sent: false), .notSent, .pause(.probe), .unclear, .addressRefused,
            "the destination's settings make no sense"),
        .init(
            .fault(.untrusted, sent: false), .notSent, .pause(.probe), .unclear, .untrusted,
            "the handshake failed for a cause that only a person can remove: the TLS version, or our certificate"),
        .init(
            .fault(.stopped, sent: false), .notSent, .goOnLater, .unclear, .stopped,
            "our own deadline or a signal ended it before a byte was sent"),
        .init(
            .fault(.stopped, sent: true), .unknown, .goOnLater, .unclear, .stopped,
            "our own deadline or a signal ended it: it may have arrived"),
        .init(
            .fault(.answerTooLong, sent: true), .unknown, .contractBreak, .unclear, .answerTooLong,
            "the answer is longer than the destination's limit"),
    ]
}
