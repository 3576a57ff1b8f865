import SessionDomain
import TestSupport
import Testing

@Suite struct PassportLiveScanTests {
    /// Every policy value is small enough that a few frames meet it.
    private static let small = LiveScanPolicy(
        warmUpMilliseconds: 0, sampleMilliseconds: 100, streak: 2, holdMilliseconds: 200, badFrames: 2, lostMilliseconds: 150,
        gapMilliseconds: 450, averagedFrames: 3, averageScore: 0.5, guidanceMilliseconds: 200, guidanceRepeatMilliseconds: 500)

    private static func scan(_ policy: LiveScanPolicy = small, _ checks: PassportChecks = .standard) -> PassportLiveScan {
        PassportLiveScan(checks: checks, policy: policy)
    }

    /// Shows frames 100 ms apart, numbered from 0.
    private static func play(_ shown: [Shown], _ scan: inout PassportLiveScan, from number: Int = 0) -> [LiveScanAction] {
        shown.enumerated().map { scan.observe(PassportFrame(number + $0, Int64(number + $0) * 100, $1)) }
    }

    @Test func `every sequence of seven kinds of frames, five long, counts and captures as the definition of a streak says`() {
        var visited = 0
        func follow(_ scan: PassportLiveScan, _ looks: [StreakByDefinition.Look]) {
            guard looks.count < 5 else { return }
            for shown in Shown.allCases {
                var scan = scan
                let time = Int64(looks.count) * 100
                let action = scan.observe(PassportFrame(looks.count, time, shown))
                let looks = looks + [.init(number: looks.count, time: time, shown: shown)]
                let definition = StreakByDefinition(policy: scan.policy, looks: looks)
                visited += 1
                guard scan.streakLength == definition.length, scan.bestFrame == definition.best,
                    (scan.capturedFrame != nil) == definition.isComplete,
                    definition.isComplete == (action == definition.best.map { .capture(frame: $0) })
                else {
                    Issue.record("\(looks.map(\.shown)): \(action), \(scan.streakLength) instead of \(definition.length)")
                    return
                }
                if scan.capturedFrame == nil { follow(scan, looks) }
            }
        }
        follow(Self.scan(), [])
        #expect(visited > 12_000)
    }

    @Test func `random policies, frames and gaps keep to the definition, to the rate of guidance and to the order of time`() {
        var random = SeededRandom(seed: SeededRandom.seed(for: "live scan"))
        var captures = 0
        for _ in 0..<600 {
            let policy = LiveScanPolicy(
                warmUpMilliseconds: .random(in: 0...300, using: &random),
                sampleMilliseconds: .random(in: 0...120, using: &random),
                streak: .random(in: 1...6, using: &random), holdMilliseconds: .random(in: 0...600, using: &random),
                badFrames: .random(in: 1...5, using: &random), lostMilliseconds: .random(in: 0...400, using: &random),
                gapMilliseconds: .random(in: 200...900, using: &random), averagedFrames: .random(in: 1...6, using: &random),
                averageScore: [0, 0.4, 0.55, 0.7].randomElement(using: &random)!,
                guidanceMilliseconds: .random(in: 0...500, using: &random),
                guidanceRepeatMilliseconds: .random(in: 0...2000, using: &random))
            var scan = PassportLiveScan(policy: policy)
            var looks: [StreakByDefinition.Look] = []
            var told: (hint: LiveScanHint, time: Int64)?
            var time: Int64 = 0
            for number in 0..<60 {
                time += random.one(in: 12) ? .random(in: -200...1_000, using: &random) : .random(in: 0...150, using: &random)
                let mostlyGood = random.one(in: 3) ? Shown.allCases.randomElement(using: &random)! : .good
                let shown = random.one(in: 8) ? Shown.better : mostlyGood
                let isWanted = scan.wantsFrame(atMilliseconds: time)
                let before = scan
                let action = scan.observe(PassportFrame(number, time, shown))
                #expect(isWanted == (action != .skipped))
                guard isWanted else {
                    #expect(scan == before)
                    continue
                }
                looks.append(.init(number: number, time: time, shown: shown))
                let definition = StreakByDefinition(policy: policy, looks: looks)
                #expect(scan.streakLength == definition.length)
                #expect(scan.bestFrame == definition.best)
                #expect((action == definition.best.map { .capture(frame: $0) }) == definition.isComplete)
                if case .guide(let hint) = action {
                    if let told {
                        #expect(time - told.time >= policy.guidanceMilliseconds)
                        #expect(hint != told.hint || time - told.time >= policy.guidanceRepeatMilliseconds)
                    }
                    told = (hint, time)
                }
                if case .capture = action { captures += 1 }
            }
        }
        #expect(captures > 50)
    }

    @Test func `S48 a blurred frame never counts and ends the streak, where other bad frames only do not count`() {
        var scan = Self.scan()
        _ = Self.play([.good, .glare], &scan)
        #expect(scan.streakLength == 1)
        _ = Self.play([.blurred], &scan, from: 2)
        #expect(scan.streakLength == 0)
        #expect(scan.bestFrame == nil)
        _ = Self.play([.good], &scan, from: 3)
        #expect(scan.streakLength == 1)
    }

    @Test func `S39 without a runner, or with a check that nobody made, a thousand frames give no capture and no event`() {
        var blind = Self.scan()
        #expect(Self.play(Array(repeating: .nothingKnown, count: 1_000), &blind).allSatisfy { $0 == .waiting })
        var halfBlind = Self.scan()
        let actions = (0..<1_000).map {
            halfBlind.observe(
                PassportFrame(
                    number: $0, timeMilliseconds: Int64($0) * 100, hasDocument: true, isClearOfFingers: true,
                    isClearOfGlare: true,
                    score: 1))
        }
        #expect(actions.allSatisfy { $0 == .waiting })
    }

    @Test func `S45 S46 a check that is off counts as passed, each of the three by itself`() {
        let cases: [(PassportChecks, Shown)] = [
            (PassportChecks(glare: false), .glare), (PassportChecks(fingers: false), .fingers),
            (PassportChecks(blur: false), .blurred),
        ]
        for (checks, shown) in cases {
            var frame = PassportFrame(
                number: 0, timeMilliseconds: 0, hasDocument: true, isClearOfFingers: shown != .fingers,
                isClearOfGlare: shown != .glare, isSharp: shown != .blurred, score: 0.9)
            var scan = Self.scan(Self.small, checks)
            for number in 0..<3 {
                (frame.number, frame.timeMilliseconds) = (number, Int64(number) * 100)
                _ = scan.observe(frame)
            }
            #expect(scan.capturedFrame == 0)
            var strict = Self.scan()
            for number in 0..<3 {
                (frame.number, frame.timeMilliseconds) = (number, Int64(number) * 100)
                _ = strict.observe(frame)
            }
            #expect(strict.capturedFrame == nil)
        }
    }

    @Test func `the first check that fails is what the user hears of`() {
        let worst = PassportFrame(
            number: 0, timeMilliseconds: 0, hasDocument: true, isClearOfFingers: false, isClearOfGlare: false, isSharp: false)
        var scan = Self.scan()
        #expect(scan.observe(worst) == .guide(.fingers))
        var withoutFingers = Self.scan(Self.small, PassportChecks(fingers: false))
        #expect(withoutFingers.observe(worst) == .guide(.glare))
        var onlyBlur = Self.scan(Self.small, PassportChecks(glare: false, fingers: false))
        #expect(onlyBlur.observe(worst) == .guide(.blurry))
        var dark = worst
        (dark.isClearOfFingers, dark.isClearOfGlare, dark.isSharp, dark.isBright) = (true, true, true, false)
        var inTheDark = Self.scan()
        #expect(inTheDark.observe(dark) == .guide(.tooDark))
        var nothing = Self.scan()
        #expect(nothing.observe(PassportFrame(0, 0, .noDocument)) == .guide(.noDocument))
    }

    @Test func `K17 the first moments are dropped, then one frame in 300 ms is looked at, and a page is held for a second`() {
        var scan = PassportLiveScan(startedAtMilliseconds: 10_000)
        var asked: [Int64] = []
        var action = LiveScanAction.waiting
        var time: Int64 = 9_900
        while scan.capturedFrame == nil, time < 20_000 {
            if scan.wantsFrame(atMilliseconds: time) { asked.append(time) }
            action = scan.observe(PassportFrame(Int(time), time, .better))
            time += 50
        }
        #expect(asked == [10_600, 10_900, 11_200, 11_500, 11_800])
        #expect(action == .capture(frame: 10_600))
        #expect(!scan.wantsFrame(atMilliseconds: 30_000))
        #expect(scan.observe(PassportFrame(99, 30_000, .better)) == .skipped)
    }

    @Test func `the best frame of the streak is captured, and of equal ones the first`() {
        var policy = Self.small
        policy.streak = 4
        var scan = Self.scan(policy)
        _ = Self.play([.good, .better, .better, .good], &scan)
        #expect(scan.capturedFrame == 1)
    }

    @Test func `K17 frames that are good but poor on average are not captured`() {
        var scan = Self.scan()
        for number in 0..<20 {
            var frame = PassportFrame(number, Int64(number) * 100, .good)
            frame.score = 0.49
            #expect(scan.observe(frame) != .capture(frame: 0))
        }
        #expect(scan.streakLength == 20)
    }

    @Test func `S65 what alternates with every frame becomes one event a period, and what stays is repeated seldom`() {
        var scan = Self.scan(LiveScanPolicy(warmUpMilliseconds: 0, sampleMilliseconds: 100))
        let flicker = Self.play((0..<100).map { $0.isMultiple(of: 2) ? .glare : .fingers }, &scan)
        #expect(flicker.count { $0 != .waiting } <= 10)
        #expect(flicker.count { $0 != .waiting } >= 2)
        var steady = Self.scan(LiveScanPolicy(warmUpMilliseconds: 0, sampleMilliseconds: 100))
        let steadily = Self.play(Array(repeating: .glare, count: 100), &steady)
        #expect(steadily.indices.filter { steadily[$0] == .guide(.glare) } == [0, 50])
    }

    @Test func `times at the ends of their range and scores that are no numbers do no harm`() {
        var scan = PassportLiveScan(startedAtMilliseconds: .min)
        for time in [Int64.min, -1, 0, 2_000, .max, 3_000, .max] {
            _ = scan.observe(PassportFrame(1, time, .good))
        }
        #expect(scan.capturedFrame == nil)
        var frame = PassportFrame(2, 0, .good)
        frame.score = .nan
        var odd = Self.scan()
        _ = odd.observe(frame)
        (frame.number, frame.timeMilliseconds, frame.score) = (3, 100, 0.9)
        _ = odd.observe(frame)
        #expect(odd.bestFrame == 3)
    }
}
