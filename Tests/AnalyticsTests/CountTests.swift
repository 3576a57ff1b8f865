import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

@Suite(.timeLimit(.minutes(5))) struct CountTests {
    /// What happened, as Python read it from the raw log.
    private struct Happened {
        let what: String
        let position: Int64
        let time: Int64
        let session: String
        let context: String?
        let piece: String?
        let reason: String?

        init(_ json: JSONValue) {
            let fields = json.asArray ?? []
            what = fields[0].asString ?? ""
            position = fields[1].asInteger ?? 0
            time = fields[2].asInteger ?? 0
            session = fields[3].asString ?? ""
            context = fields[4].asString.flatMap { $0.isEmpty ? nil : $0 }
            piece = fields[5].asString
            reason = fields[6].asString
        }
    }

    private static func happened(_ temporary: AnalyticsLedger) throws -> [Happened] {
        try temporary.oracle()["happened"]?.asArray?.map(Happened.init) ?? []
    }

    @Test func `every count equals Python's, by piece, reason, context, day, unit and position`() throws {
        let seed = SeededRandom.seed(for: "counts")
        var random = SeededRandom(seed: seed)
        let history = try AnalyticsHistory(seed: seed, sessions: 24)
        let ledger = history.ledger
        let happened = try Self.happened(history.temporary)
        let last = try ledger.lastPosition()
        let zone = try NamedTimeZone.named("Asia/Kathmandu")
        let reasons = Set(happened.compactMap(\.reason)).sorted()
        var found = 0
        for what in CountQuestion.What.allCases {
            for _ in 0..<12 {
                var question = CountQuestion(what)
                question.zone = zone
                if what.isOfCapture, random.one(in: 2) { question.unit = .sessions }
                if what.isOfCapture, random.one(in: 3) { question.piece = Piece.allCases.randomElement(using: &random) }
                if what.hasReason, random.one(in: 3) { question.reason = reasons.randomElement(using: &random) }
                if random.one(in: 4) { question.context = AnalyticsHistory.names.randomElement(using: &random)! }
                if random.one(in: 3) { question.position = Int64.random(in: 0...last, using: &random) }
                if random.one(in: 3) { question.sinceMilliseconds = happened.randomElement(using: &random)?.time }
                if random.one(in: 3) { question.untilMilliseconds = happened.randomElement(using: &random)?.time }
                question.grouping = [nil, .context, .day].randomElement(using: &random)!
                question.listsSessions = true
                let wanted = happened.filter { event in
                    event.what == what.rawValue && event.position <= question.position ?? last
                        && (question.piece.map { $0.rawValue == event.piece } ?? true)
                        && (question.reason.map { $0 == event.reason } ?? true)
                        && (question.context.map { $0 == event.context } ?? true)
                        && event.time >= question.sinceMilliseconds ?? 0 && event.time < question.untilMilliseconds ?? .max
                }
                let answer = try ledger.count(question)
                #expect(answer.captures == wanted.count && answer.sessions == Set(wanted.map(\.session)).count, "\(question)")
                #expect(answer.list?.map(\.id).sorted() == Set(wanted.map(\.session)).sorted())
                #expect(
                    wanted.allSatisfy {
                        (answer.firstPosition...max(answer.firstPosition, answer.lastPosition)).contains($0.position)
                    })
                let key: ((Happened) -> String?)? =
                    switch question.grouping {
                    case .context: { $0.context }
                    case .day: { zone.day(at: $0.time).text }
                    default: nil
                    }
                if let key {
                    let groups = Dictionary(grouping: wanted, by: key).mapValues { Int64($0.count) }
                    let ours = answer.groups.filter { $0.captures > 0 }
                    #expect(Dictionary(uniqueKeysWithValues: ours.map { ($0.name, $0.captures) }) == groups)
                }
                found += wanted.count
            }
        }
        #expect(found > 100)
    }

    @Test func `the same question at the same position has the same answer after more events, a rebuild and an erasure`() throws
    {
        let history = try AnalyticsHistory(seed: SeededRandom.seed(for: "for ever"), sessions: 10)
        let ledger = history.ledger
        let position = try ledger.lastPosition()
        func answers() throws -> [JSONValue] {
            try CountQuestion.What.allCases.map { what in
                var question = CountQuestion(what)
                question.position = position
                question.grouping = what.hasOrigin ? .origin : .day
                question.listsSessions = true
                return try ledger.count(question).json
            }
        }
        let before = try answers()
        try history.go(on: 6)
        #expect(try answers() == before, "after more events")
        for session in history.sessions.prefix(4) { try history.temporary.eraseNow(session) }
        #expect(try answers() == before, "after an erasure")
        _ = try ledger.rebuild()
        #expect(try answers() == before, "after a rebuild")
        var beyond = CountQuestion(.captured)
        beyond.position = try ledger.lastPosition() + 1
        let error = #expect(throws: LedgerError.self) { try ledger.count(beyond) }
        #expect(error?.code.rawValue == "position_not_reached")
    }

    @Test func `S30 who said no is told apart, and a late answer is nobody's no`() throws {
        let history = try AnalyticsHistory(seed: SeededRandom.seed(for: "origins"), sessions: 20)
        let happened = try Self.happened(history.temporary)
        var question = CountQuestion(.rejected)
        question.grouping = .origin
        let answer = try history.ledger.count(question)
        let names = ["refused": "intake", "failed_checks": "checks", "rejected": "verifier"]
        let wanted = Dictionary(grouping: happened.filter { names[$0.what] != nil }) { names[$0.what] }
        #expect(
            Dictionary(uniqueKeysWithValues: answer.groups.map { ($0.name, Int($0.captures)) }) == wanted.mapValues(\.count))
        #expect(answer.number == Int64(wanted["verifier"]?.count ?? 0))
        #expect(answer.definition.contains("rejected") && answer.definition.contains("too late"))
    }

    @Test func `months are those of the zone, with what happened a millisecond before and after`() throws {
        let temporary = try AnalyticsLedger()
        let zone = try NamedTimeZone.named("Europe/Istanbul")
        let month = try #require(CivilMonth("2026-10"))
        let (since, until) = (zone.start(of: month.first), zone.start(of: month.end))
        #expect(since == MomentText.milliseconds("2026-09-30T21:00Z") && until == MomentText.milliseconds("2026-10-31T21:00Z"))
        // the clock of a ledger begins after September: the month's end is the border that is tried
        for time in [until - 1, until, until + 10_799_999, until + 10_800_000] {
            temporary.clock.advance(time - temporary.clock.now)
            var configuration = CaptureConfiguration(pieces: [.selfie], flowTitle: "x", analyticsContext: nil)
            configuration.checks = .off
            _ = try temporary.ledger.start(StartRequest(configuration: configuration))
        }
        func count(_ zone: NamedTimeZone, _ text: String) throws -> Int64 {
            let month = try #require(CivilMonth(text))
            var question = CountQuestion(.started)
            (question.sinceMilliseconds, question.untilMilliseconds) = (zone.start(of: month.first), zone.start(of: month.end))
            question.zone = zone
            return try temporary.ledger.count(question).number
        }
        #expect(try count(zone, "2026-10") == 1 && (try count(zone, "2026-11")) == 3)
        #expect(try count(.utc, "2026-10") == 3 && (try count(.utc, "2026-11")) == 1)
    }
}
