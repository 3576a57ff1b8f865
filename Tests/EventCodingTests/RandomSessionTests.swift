import EventCoding
import SessionDomain
import TestSupport
import Testing

@Suite struct RandomSessionTests {
    @Test func `random sessions keep the rules, replay to the live state and let no secret into the facts`() throws {
        for seed in SeededRandom.seeds(for: "random sessions") {
            var ends: [SessionStatus: Int] = [:]
            for number in 0..<1_500 {
                var session = RandomSession(seed: seed &+ UInt64(number))
                try session.run(commands: 60)
                #expect(session.rules.broken == [], "seed \(seed), session \(number)")
                #expect(session.mismatches == [], "seed \(seed), session \(number)")
                ends[session.state.status, default: 0] += 1
            }
            // the draw is worth something only when it reaches every end
            for status in SessionStatus.allCases where status != .none { #expect(ends[status, default: 0] > 0, "\(status)") }
        }
    }
}

/// One session driven by random commands, followed by the rules and by a replay of what is stored.
private struct RandomSession {
    var commands: RandomCommands
    var rules = Rules()
    var state = SessionState.initial
    var replayed = SessionState.initial
    var mismatches: [String] = []
    private let interner = Interner()
    private var now = Sample.now

    init(seed: UInt64) { commands = RandomCommands(seed: seed) }

    mutating func run(commands count: Int) throws {
        let configuration = commands.configuration()
        try perform(Sample.start(configuration, secret: RandomCommands.secret))
        for _ in 0..<count {
            now += Int64.random(in: 0...2_000, using: &commands.random)
            try perform(commands.next(state))
        }
    }

    private mutating func perform(_ command: SessionCommand) throws {
        let before = state
        let decided: [Decided]
        do { decided = try SessionDecider.decide(command, state, now: now) } catch { return }
        for event in decided { try append(event) }
        if before.status.isTerminal, before.status != .exited, state.pieces != before.pieces {
            mismatches.append("a closed session moved")
        }
        if state.currentPiece != rules.currentPiece { mismatches.append("current piece") }
        if state != replayed { mismatches.append("replay") }
    }

    private mutating func append(_ decided: Decided) throws {
        state.apply(decided.event)
        rules.follow(decided.event)
        let stored = EventCoder.encode(decided.event, internConfiguration: interner.intern)
        if stored.facts.contains(RandomCommands.marker) || stored.reason?.contains(RandomCommands.marker) == true {
            mismatches.append("a secret stands in the facts")
        }
        guard let event = try EventCoder.decode(stored, configuration: interner.text) else {
            mismatches.append("an event was skipped")
            return
        }
        if event != decided.event { mismatches.append("an event changed on its way through the store") }
        replayed.apply(event)
    }
}
