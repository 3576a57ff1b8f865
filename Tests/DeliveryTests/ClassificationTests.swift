import DeliveryMachine
import Testing

/// The table against the specification, written out here once more, so that it is compared with something else than itself.
@Suite struct ClassificationTests {
    static let notSent: Set<Int32> = [5, 6, 7, 35, 58, 59, 60, 64, 66, 77, 82, 83, 90, 91, 96, 97]
    static let unknown: Set<Int32> = [16, 18, 52, 55, 56, 65, 92, 95]
    static let dependsOnBytes: Set<Int32> = [1, 8, 23, 27, 28, 42, 61, 63]
    static let identity: Set<Int32> = [58, 60, 77, 90, 91]

    private func rule(
        _ code: Int32, _ status: Int, sent: Bool, _ kind: AttemptRecord.Kind = .send, _ finding: AnswerFinding? = nil
    ) -> ClassificationRule {
        ClassificationTable.rule(
            for: RequestFacts(kind: kind, curlCode: code, status: status, hasSentBytes: sent, finding: finding))
    }

    @Test func `F1 every code from 1 to 100 has its certainty and action, whatever the status and with or without bytes sent`()
    {
        for code in Int32(1)...100 {
            for status in [0, 100, 103, 200, 202, 301, 401, 404, 503, 999] {
                for kind in [AttemptRecord.Kind.send, .statusQuery] {
                    let silent = rule(code, status, sent: false, kind)
                    let loud = rule(code, status, sent: true, kind)
                    #expect(loud.certainty == .unknown && loud.action == .retry, "code \(code), status \(status)")
                    if Self.unknown.contains(code) {
                        #expect(silent.certainty == .unknown && silent.action == .retry, "code \(code), status \(status)")
                        continue
                    }
                    #expect(silent.certainty == .notSent, "code \(code), status \(status)")
                    let pauses = Self.identity.contains(code) || code == 98
                    #expect(silent.action == (pauses ? .pause(.probe) : .tryLater), "code \(code), status \(status)")
                }
            }
        }
        #expect(Self.notSent.isDisjoint(with: Self.unknown) && Self.unknown.isDisjoint(with: Self.dependsOnBytes))
    }

    @Test func `every final status from 100 to 999 has the action of the specification`() {
        for status in 100...999 {
            let expected: RuleAction =
                switch status {
                case ..<200: .retry
                case 200...299: .contractBreak  // nothing that fits was found in it
                case 300...399: .pause(.probe)
                case 401: .renewCredential
                case 403, 404, 405, 407, 501, 511: .pause(.probe)
                case 408, 409, 423, 424, 425: .retry
                case 410: .pause(.person)
                case 421: .retryOnNewConnection
                case 422: .park(.keyReused)
                case 429, 503: .throttle
                case 400...499: .park(.refusedByEndpoint)
                default: .retry
                }
            for sent in [true, false] {
                let found = rule(0, status, sent: sent)
                #expect(found.action == expected, "status \(status)")
                #expect(found.certainty == (status < 200 ? .unknown : .answered), "status \(status)")
            }
        }
    }

    @Test func `an exchange without a final status is unknown`() {
        for status in [Int.min, -1, 0, 1, 99, 100, 101, 103, 199, 1_000, 9_999, Int.max] {
            #expect(rule(0, status, sent: true).certainty == .unknown, "status \(status)")
            #expect(rule(0, status, sent: false).explanation == .answerLost, "status \(status)")
        }
    }

    @Test func `a question about the status has rules of its own for every status`() {
        for status in 200...999 {
            let expected: RuleAction =
                switch status {
                case 404, 410, 405, 501: .sendAgain
                case 200...299: .contractBreak
                case 300...399, 403, 407, 511: .pause(.probe)
                case 401: .renewCredential
                case 408, 409, 423, 424, 425: .retry
                case 421: .retryOnNewConnection
                case 429, 503: .throttle
                case 400...499: .sendAgain
                default: .retry
                }
            #expect(rule(0, status, sent: true, .statusQuery).action == expected, "status \(status)")
        }
        #expect(rule(0, 404, sent: true, .statusQuery).explanation == .didNotArrive)
        #expect(rule(0, 405, sent: true, .statusQuery).explanation == .statusUnavailable)
        #expect(rule(0, 500, sent: true, .statusQuery).explanation == .statusUnanswered)
    }

    @Test func `F15 what our own checks found in a 2xx decides, not its status`() {
        let expected: [AnswerFinding: RuleAction] = [
            .outcome: .deliver, .noDecision: .retry, .statusAddress: .poll, .lengthsDiffer: .contractBreak,
            .notJSON: .contractBreak, .foreign: .contractBreak, .noOutcome: .contractBreak, .noScore: .contractBreak,
            .noStatusAddress: .contractBreak, .foreignStatusAddress: .contractBreak,
        ]
        for finding in AnswerFinding.allCases {
            for status in 200...299 {
                for kind in [AttemptRecord.Kind.send, .statusQuery] {
                    #expect(rule(0, status, sent: true, kind, finding).action == expected[finding], "\(finding) \(status)")
                }
            }
            #expect(rule(0, 500, sent: true, .send, finding).action == .retry)
        }
    }

    @Test func `what our own side ended is told by its fault before anything else`() {
        let expected: [(DeliveryFault.Code, RuleAction, RuleAction)] = [
            (.mediaUnreadable, .park(.mediaUnreadable), .park(.mediaUnreadable)),
            (.mediaUnavailable, .tryLater, .tryLater),
            (.mediaGone, .park(.mediaExpired), .park(.mediaExpired)),
            (.stopped, .goOnLater, .goOnLater), (.addressRefused, .pause(.probe), .retry),
            (.configuration, .pause(.probe), .retry), (.untrusted, .pause(.probe), .retry),
            (.answerTooLong, .tryLater, .contractBreak),
        ]
        for (fault, silent, loud) in expected {
            for (sent, action) in [(false, silent), (true, loud)] {
                let found = ClassificationTable.rule(
                    for: RequestFacts(curlCode: 42, status: 0, hasSentBytes: sent, fault: fault))
                #expect(found.action == action, "\(fault)")
                #expect(found.certainty == (sent ? .unknown : .notSent), "\(fault)")
            }
        }
    }

    @Test func `a short body is unknown although its status is 200, and a reset mid-upload although it says 100`() {
        #expect(ClassificationTable.certainty(curlCode: 18, status: 200, bytesSent: 10) == .unknown)
        #expect(ClassificationTable.certainty(curlCode: 56, status: 100, bytesSent: 10) == .unknown)
        #expect(ClassificationTable.certainty(curlCode: 1, status: 0, bytesSent: 10) == .unknown)
        #expect(ClassificationTable.certainty(curlCode: 27, status: 0, bytesSent: 10) == .unknown)
        // a second try of libcurl's own that could not connect says nothing about the first
        #expect(ClassificationTable.certainty(curlCode: 7, status: 0, bytesSent: 10) == .unknown)
        // the time ran out: while connecting, and after sending
        #expect(ClassificationTable.certainty(curlCode: 28, status: 0, bytesSent: 0) == .notSent)
        #expect(ClassificationTable.certainty(curlCode: 28, status: 0, bytesSent: 1) == .unknown)
    }

    @Test func `every row can be reached, says what it is in plain words, and is where its condition is printed`() {
        var reached: Set<ClassificationRule> = []
        let faults: [DeliveryFault.Code?] = [
            nil, .mediaUnreadable, .mediaUnavailable, .mediaGone, .addressRefused, .configuration, .untrusted, .stopped,
            .answerTooLong,
        ]
        for kind in [AttemptRecord.Kind.send, .statusQuery] {
            for code in Int32(0)...100 {
                for sent in [true, false] {
                    for fault in faults {
                        let facts = RequestFacts(kind: kind, curlCode: code, status: 0, hasSentBytes: sent, fault: fault)
                        reached.insert(ClassificationTable.rule(for: facts))
                    }
                }
            }
            for status in 0...1_000 {
                for finding in [nil] + AnswerFinding.allCases {
                    reached.insert(rule(0, status, sent: true, kind, finding))
                }
            }
        }
        for row in ClassificationTable.rows {
            #expect(reached.contains(row), "\(row.text)")
            #expect(!row.text.isEmpty && !row.conditionText.isEmpty && !row.actionText.isEmpty)
        }
        #expect(reached.isSubset(of: ClassificationTable.rows))
        #expect(Set(ClassificationTable.rows.map(\.conditionText)).count == ClassificationTable.rows.count)
    }
}
