import SessionDomain
import TestSupport
import Testing

@Suite struct SelfieLiveScanTests {
    private static let policy = LiveScanPolicy(
        warmUpMilliseconds: 0, sampleMilliseconds: 100, streak: 3, holdMilliseconds: 0, badFrames: 3, lostMilliseconds: 150,
        guidanceMilliseconds: 0, guidanceRepeatMilliseconds: 0)

    /// A square box of this share of the picture, in its middle.
    private static func centred(_ share: Double) -> NormalizedRect {
        let side = share.squareRoot()
        return NormalizedRect(x: (1 - side) / 2, y: (1 - side) / 2, width: side, height: side)
    }

    /// A face this far from the left edge, large enough.
    private static func face(margin: Double) -> NormalizedRect { .init(x: margin, y: 0.2, width: 0.5, height: 0.5) }

    private static func frame(_ number: Int, _ change: (inout SelfieFrame) -> Void = { _ in }) -> SelfieFrame {
        var frame = SelfieFrame(
            number: number, timeMilliseconds: Int64(number) * 100, faceCount: 1, face: centred(0.2), brightness: 120, score: 0.9
        )
        change(&frame)
        return frame
    }

    private static func scan(_ checks: SelfieChecks = .standard) -> SelfieLiveScan {
        SelfieLiveScan(checks: checks, policy: policy)
    }

    private static func first(_ checks: SelfieChecks = .standard, _ change: (inout SelfieFrame) -> Void) -> LiveScanAction {
        var scan = scan(checks)
        return scan.observe(frame(0, change))
    }

    @Test func `S57 one face, light, place and distance have no switch`() {
        #expect(Self.first(.none) { _ in } == .guide(.holdStill))
        #expect(Self.first(.none) { $0.faceCount = 0 } == .guide(.noFace))
        #expect(Self.first(.none) { $0.faceCount = 2 } == .guide(.severalFaces))
        #expect(Self.first(.none) { $0.brightness = 39.9 } == .guide(.tooDark))
        #expect(Self.first(.none) { $0.brightness = 40 } == .guide(.holdStill))
        #expect(Self.first(.none) { $0.face = Self.face(margin: 0.09) } == .guide(.outsideViewfinder))
        #expect(Self.first(.none) { $0.face = Self.face(margin: 0.1) } == .guide(.holdStill))
        #expect(Self.first(.none) { $0.face = Self.face(margin: -0.1) } == .guide(.outsideViewfinder))
        #expect(Self.first(.none) { $0.face = Self.centred(0.105) } == .guide(.tooFar))
    }

    @Test func `S64 a small face is too far away in a live scan`() {
        #expect(Self.first { $0.face = Self.centred(0.09) } == .guide(.tooFar))
    }

    @Test
    func `S58 leaning back, leaning forward and sideways each fail, and only where the check is on and tilt was measured`() {
        let only = SelfieChecks(phoneStraight: true, glasses: false, coveredFace: false)
        #expect(Self.first(only) { $0.pitch = 18 } == .guide(.leaningBack))
        #expect(Self.first(only) { $0.pitch = -18 } == .guide(.leaningForward))
        #expect(Self.first(only) { $0.roll = 13 } == .guide(.tiltedSideways))
        #expect(Self.first(only) { $0.roll = -13 } == .guide(.tiltedSideways))
        #expect(Self.first(only) { ($0.pitch, $0.roll) = (17, -12) } == .guide(.holdStill))
        #expect(Self.first(only) { _ in } == .guide(.holdStill))
        #expect(Self.first(.none) { ($0.pitch, $0.roll) = (80, 80) } == .guide(.holdStill))
        #expect(Self.first(only) { $0.pitch = .nan } != .guide(.holdStill))
    }

    @Test func `a band without a width keeps its direction`() {
        var limits = SelfieLimits.standard
        limits.tiltBack = HysteresisBand(enter: 20, leave: 20)
        limits.faceShare = HysteresisBand(enter: 0.1, leave: 0.1)
        func first(_ change: (inout SelfieFrame) -> Void) -> LiveScanAction {
            var scan = SelfieLiveScan(limits: limits, policy: Self.policy)
            return scan.observe(Self.frame(0, change))
        }
        #expect(first { $0.pitch = 0 } == .guide(.holdStill) && first { $0.pitch = 21 } == .guide(.leaningBack))
        #expect(first { $0.face = Self.centred(0.11) } == .guide(.holdStill))
        #expect(first { $0.face = Self.centred(0.09) } == .guide(.tooFar))
    }

    @Test func `S59 glasses and covered face fail by their own switch, and with both off the classifier is not asked`() {
        let onlyGlasses = SelfieChecks(phoneStraight: false, glasses: true, coveredFace: false)
        let onlyCovered = SelfieChecks(phoneStraight: false, glasses: false, coveredFace: true)
        #expect(Self.first(onlyGlasses) { $0.classification = .glasses } == .guide(.glasses))
        #expect(Self.first(onlyGlasses) { $0.classification = .coveredFace } == .guide(.holdStill))
        #expect(Self.first(onlyCovered) { $0.classification = .coveredFace } == .guide(.coveredFace))
        #expect(Self.first(onlyCovered) { $0.classification = .glasses } == .guide(.holdStill))
        for checks in [onlyGlasses, onlyCovered, .none] {
            #expect(Self.first(checks) { $0.classification = .notASelfie } == .guide(.holdStill))
            #expect(Self.scan(checks).asksClassifier == (checks != .none))
        }
    }

    @Test func `S39 without a face model nothing is said and nothing captured`() {
        var scan = Self.scan()
        #expect((0..<500).allSatisfy { number in scan.observe(Self.frame(number) { $0.faceCount = nil }) == .waiting })
        #expect(scan.capturedFrame == nil)
    }

    @Test func `S62 values that alternate inside the band change the state once, in every measurement that has one`() {
        let kinds: [(String, (Double, inout SelfieFrame) -> Void, inside: [Double], good: Double, bad: Double)] = [
            ("margin", { $1.face = Self.face(margin: $0) }, [0.071, 0.099], 0.11, 0.06),
            ("distance", { $1.face = Self.centred($0) }, [0.101, 0.109], 0.12, 0.09),
            ("back", { $1.pitch = $0 }, [17.1, 19.9], 16, 21), ("forward", { $1.pitch = -$0 }, [17.1, 19.9], 16, 21),
            ("roll", { $1.roll = $0 }, [-14.9, 12.1], 11, -16),
        ]
        for (name, put, inside, good, bad) in kinds {
            for begins in [good, bad] {
                var scan = SelfieLiveScan(policy: LiveScanPolicy(warmUpMilliseconds: 0, sampleMilliseconds: 0, streak: 1_000))
                var states: [Bool] = []
                for number in 0..<200 {
                    let value = number == 0 ? begins : inside[number % 2]
                    let before = scan.streakLength
                    _ = scan.observe(Self.frame(number) { put(value, &$0) })
                    states.append(scan.streakLength == before + 1)
                }
                #expect(states.allSatisfy { $0 == (begins == good) }, "\(name) from \(begins)")
            }
        }
    }

    @Test func `S62 every walk of eight values around a band changes the state only where a limit is passed`() {
        let values = [0.06, 0.075, 0.095, 0.11]
        func follow(_ scan: SelfieLiveScan, _ isInside: Bool, _ depth: Int) {
            guard depth < 8 else { return }
            for value in values {
                var scan = scan
                let before = scan.streakLength
                _ = scan.observe(Self.frame(depth) { $0.face = Self.face(margin: value) })
                let expected = value == 0.11 || (isInside && value != 0.06)
                guard (scan.streakLength > before) == expected else {
                    Issue.record("\(value) after \(isInside) at \(depth)")
                    return
                }
                follow(scan, expected, depth + 1)
            }
        }
        // so that nothing but the band ends or completes the streak
        let policy = LiveScanPolicy(
            warmUpMilliseconds: 0, sampleMilliseconds: 0, streak: 100, badFrames: 100, averagedFrames: 1, averageScore: 0)
        follow(SelfieLiveScan(checks: .none, policy: policy), false, 0)
    }

    @Test func `K17 a face that was away for longer than the limit begins anew, with its bands too`() {
        var scan = Self.scan()
        _ = scan.observe(Self.frame(0))
        _ = scan.observe(Self.frame(1) { $0.faceCount = 0 })
        _ = scan.observe(Self.frame(2) { $0.face = Self.face(margin: 0.09) })
        #expect(scan.streakLength == 2, "100 ms without a face are forgiven")
        _ = scan.observe(Self.frame(3) { $0.faceCount = 0 })
        _ = scan.observe(Self.frame(4) { $0.faceCount = 0 })
        #expect(scan.streakLength == 0)
        #expect(scan.observe(Self.frame(5) { $0.face = Self.face(margin: 0.09) }) == .guide(.outsideViewfinder))
    }

    @Test func `boxes that are no numbers are outside`() {
        for box in [
            NormalizedRect(x: .nan, y: 0.2, width: 0.5, height: 0.5), .init(x: 0.2, y: .nan, width: 0.5, height: 0.5),
            .init(x: 0.2, y: 0.2, width: .infinity, height: 0.5),
        ] { #expect(Self.first { $0.face = box } == .guide(.outsideViewfinder)) }
    }

    @Test func `three good frames are a selfie, the best of them is captured, and then the scan is over`() {
        var scan = Self.scan()
        #expect(scan.observe(Self.frame(0)) == .guide(.holdStill))
        _ = scan.observe(Self.frame(1) { $0.score = 0.95 })
        #expect(scan.bestFrame == 1)
        #expect(scan.observe(Self.frame(2)) == .capture(frame: 1))
        #expect(scan.observe(Self.frame(3)) == .skipped)
    }

    @Test func `random walks: only a streak of good frames captures, and its best is the one`() {
        var random = SeededRandom(seed: SeededRandom.seed(for: "selfie scan"))
        var captures = 0
        for _ in 0..<300 {
            var scan = Self.scan()
            var streak: [(Int, Double)] = []
            for number in 0..<80 {
                let score = Double.random(in: 0.5...1, using: &random)
                let isDark = random.one(in: 4)
                let isUnknown = random.one(in: 15)
                let action = scan.observe(
                    Self.frame(number) {
                        $0.score = score
                        if isDark { $0.brightness = 10 }
                        if isUnknown { $0.faceCount = nil }
                    })
                if isUnknown {
                    streak = []
                    #expect(action == .waiting)
                } else if !isDark {
                    streak.append((number, score))
                }
                if case .capture(let frame) = action {
                    #expect(!isDark && !isUnknown)
                    #expect(streak.map(\.1).max() == streak.first { $0.0 == frame }?.1)
                    captures += 1
                    break
                }
                // three bad ones in a row end it
                if scan.streakLength == 0 { streak = [] }
                #expect(scan.streakLength == streak.count)
            }
        }
        #expect(captures > 100)
    }
}
