import SessionDomain
import TestSupport
import Testing

@testable import MediaChecks

/// What stored findings say under another policy is what the pipeline says with the picture.
@Suite struct RescoringTests {
    private typealias Script = PassportScript

    private func again(
        _ report: CheckReport, _ question: CheckQuestion, from old: CheckPolicy, to new: CheckPolicy
    ) -> Rescoring {
        Rescoring(report.findings, page: report.page, question, HologramSettings(), from: old, to: new)
    }

    @Test func `under its own policy nothing flips, and every verdict is the same`() throws {
        for script in [
            Script(), Script([]), Script(glare: 0.9), Script(blurred: 0.9), Script(Script.clean + [Script.fingerOnMRZ]),
            Script([Script.page]),
        ] {
            let report = try script.check()
            let told = again(report, CheckQuestion(piece: .passportFront, source: .file), from: .standard, to: .standard)
            #expect(told.failure == report.failure && told.decisive == nil && told.gaps.isEmpty)
            let verdicts = report.findings.filter { $0.passed != nil }
            #expect(told.findings.filter { $0.passed != nil } == verdicts)
        }
    }

    @Test func `what was not measured, since an earlier check failed, is told and not guessed`() throws {
        let glaring = try Script(glare: 0.6).check()
        #expect(glaring.failure == .glare)
        var lenient = CheckPolicy(version: "lenient")
        lenient.passport.glareScore = 0.7
        let question = CheckQuestion(piece: .passportFront, source: .file)
        let told = again(glaring, question, from: .standard, to: lenient)
        #expect(told.decisive?.metric == "blur_score" && told.decisive?.gap == .notMeasured && told.failure == nil)
        // where nobody asks for blur there is no gap
        let blind = CheckQuestion(piece: .passportFront, source: .file, passport: PassportChecks(blur: false))
        let sure = again(glaring, blind, from: .standard, to: lenient)
        #expect(sure.decisive == nil && sure.failure == nil)

        let missing = try Script([("page", 0.45, 0.1, 0.2, 0.8, 0.6), Script.photo, Script.mrz]).check()
        #expect(missing.failure == .noDocument)
        var low = CheckPolicy(version: "low")
        low.detector.page = 0.4
        let unknown = again(missing, question, from: .standard, to: low)
        #expect(unknown.decisive?.metric == "glare_score" && unknown.decisive?.gap == .notMeasured)
        #expect(unknown.findings.first { $0.metric == "page_score" }?.passed == true)
    }

    @Test func `an earlier check that fails now decides, whatever is not known after it`() throws {
        let glaring = try Script(glare: 0.6).check()
        var strict = CheckPolicy(version: "strict")
        strict.passport.glareScore = 0.7
        strict.detector.page = 0.99
        let told = again(glaring, CheckQuestion(piece: .passportFront, source: .file), from: .standard, to: strict)
        #expect(told.failure == .noDocument && told.decisive == nil)
    }

    @Test func `other models, other crops and other searches are gaps of their own`() throws {
        let clean = try Script().check()
        let question = CheckQuestion(piece: .passportFront, source: .file)
        func gap(_ change: (inout CheckPolicy) -> Void) -> Rescoring.Gap? {
            var policy = CheckPolicy(version: "other")
            change(&policy)
            return again(clean, question, from: .standard, to: policy).decisive?.gap
        }
        let other = String(repeating: "ab", count: 32)
        #expect(gap { $0.models[.glare] = other } == .otherModel)
        #expect(gap { $0.models[.passportDetector] = other } == .otherModel)
        #expect(gap { $0.models[.passportBlur] = other } == .otherModel)
        #expect(gap { $0.passport.cropWidth = 256 } == .measuredDifferently)
        #expect(gap { $0.detector.overlap = 0.9 } == .measuredDifferently)
        #expect(gap { $0.detector.floor = 0.01 } == .measuredDifferently)
        #expect(gap { $0.detector.floor = 0.2 } == nil)
        #expect(gap { $0.models[.glare] = clean.finding("glare_score")?.model } == nil)
        #expect(gap { $0.passport.glareArea = 0.5 } == nil)
    }

    @Test func `more detections than are kept are a gap only where the rest could count`() throws {
        let crowd = (0..<14).map {
            ("signature", 0.95 - Double($0) * 0.001, 0.02 * Double($0), 0.01, 0.01, 0.01) as Script.Seen
        }
        let report = try Script(Script.clean + crowd).check()
        let question = CheckQuestion(piece: .passportFront, source: .file)
        #expect(again(report, question, from: .standard, to: .standard).decisive?.gap == .detectionsCut)
        let few = try Script(Script.clean + crowd.prefix(8)).check()
        #expect(again(few, question, from: .standard, to: .standard).decisive == nil)
    }

    @Test func `random pages under random policies: what is certain is what the pipeline says`() throws {
        var random = SeededRandom(seed: SeededRandom.seed(for: "rescoring pages"))
        var (certain, flipped) = (0, 0)
        for _ in 0..<120 {
            let (old, new) = (policy(&random), policy(&random))
            let script = Script(scene(&random), glare: score(&random), blurred: score(&random))
            let piece = random.one(in: 3) ? Piece.passportBack : .passportFront
            let switches = PassportChecks(glare: !random.one(in: 5), fingers: !random.one(in: 5), blur: !random.one(in: 5))
            let question = CheckQuestion(piece: piece, source: .file, passport: switches)
            let before = try script.check(piece, switches: switches, policy: old)
            let after = try script.check(piece, switches: switches, policy: new)
            let told = again(before, question, from: old, to: new)
            guard told.decisive == nil else { continue }
            certain += 1
            if before.failure != after.failure { flipped += 1 }
            #expect(told.failure == after.failure, "\(before.findings) under \(new.json.canonical)")
            for finding in told.findings where finding.passed != nil {
                let real = after.finding(finding.metric)
                #expect(real == nil || real?.passed == finding.passed && real?.threshold == finding.threshold, "\(finding)")
            }
        }
        // neither all nor nothing is certain, else this test says nothing
        #expect(certain > 30 && certain < 120 && flipped > 3, "\(certain) \(flipped)")
    }

    @Test func `random selfies under random policies: what is certain is what the pipeline says`() throws {
        var random = SeededRandom(seed: SeededRandom.seed(for: "rescoring selfies"))
        var flipped = 0
        for _ in 0..<24 {
            let (old, new) = (selfiePolicy(&random), selfiePolicy(&random))
            let seen =
                random.one(in: 6) ? [] : [SelfieScript.Seen(x: 0.05 + 0.3 * score(&random), side: 0.2 + 0.4 * score(&random))]
            let scores = random.one(in: 3) ? nil : [0.1, score(&random), score(&random), score(&random)]
            let source = random.one(in: 2) ? CaptureSource.camera : .file
            let measurements = [
                Measurement(metric: "tilt_pitch_degrees", value: 40 * score(&random) - 20),
                Measurement(metric: "tilt_roll_degrees", value: 30 * score(&random)),
            ]
            let question = CheckQuestion(piece: .selfie, source: source, measurements: measurements)
            func look(_ policy: CheckPolicy) throws -> CheckReport {
                try SelfieScript(seen, classifier: scores).check(source: source, measurements: measurements, policy: policy)
            }
            let (before, after) = (try look(old), try look(new))
            let told = again(before, question, from: old, to: new)
            #expect(told.decisive == nil && told.failure == after.failure, "\(before.findings) \(new.json.canonical)")
            #expect(told.findings.map(\.passed) == after.findings.map(\.passed))
            if before.failure != after.failure { flipped += 1 }
        }
        #expect(flipped > 1, "\(flipped)")
        var search = CheckPolicy(version: "search")
        search.selfie.meshPresence = 0.9
        let told = again(
            try SelfieScript().check(), CheckQuestion(piece: .selfie, source: .file), from: .standard, to: search)
        #expect(told.decisive?.metric == "face_count" && told.decisive?.gap == .measuredDifferently)
    }

    private func score(_ random: inout SeededRandom) -> Double {
        (Double.random(in: 0...1, using: &random) * 100).rounded() / 100
    }

    private func scene(_ random: inout SeededRandom) -> [Script.Seen] {
        var seen: [Script.Seen] = []
        func maybe(_ one: Script.Seen, in count: Int, _ random: inout SeededRandom) {
            guard !random.one(in: count) else { return }
            var one = one
            one.score = 0.3 + 0.7 * score(&random)
            seen.append(one)
        }
        maybe(Script.page, in: 12, &random)
        maybe(Script.photo, in: 4, &random)
        maybe(Script.mrz, in: 4, &random)
        maybe(Script.signature, in: 2, &random)
        if random.one(in: 2) { maybe(Script.fingerOnMRZ, in: 5, &random) }
        if random.one(in: 5) { maybe(("other_document", 0.7, 0.1, 0.2, 0.8, 0.6), in: 5, &random) }
        if random.one(in: 5) { maybe(("page", 0.6, 0.0, 0.0, 0.5, 0.5), in: 5, &random) }
        return seen
    }

    private func policy(_ random: inout SeededRandom) -> CheckPolicy {
        var policy = CheckPolicy(version: "p\(Int.random(in: 0...999, using: &random))")
        // a small crop is measured fast
        policy.passport.cropWidth = 64
        policy.detector.page = 0.3 + 0.5 * score(&random)
        policy.detector.photo = 0.3 + 0.5 * score(&random)
        policy.detector.mrz = 0.3 + 0.5 * score(&random)
        policy.detector.finger = 0.2 + 0.6 * score(&random)
        policy.passport.backPage = PageRule.allCases.randomElement(using: &random) ?? .page
        policy.passport.presumesMRZ = random.one(in: 2)
        policy.passport.fingerOverlap = 0.3 * score(&random)
        policy.passport.glareScore = score(&random)
        policy.passport.glareArea = random.one(in: 3) ? score(&random) : nil
        policy.passport.blurScore = score(&random)
        policy.passport.brightness = random.one(in: 3) ? nil : 200 * score(&random)
        return policy
    }

    private func selfiePolicy(_ random: inout SeededRandom) -> CheckPolicy {
        var policy = CheckPolicy(version: "s\(Int.random(in: 0...999, using: &random))")
        policy.selfie.brightness = 200 * score(&random)
        policy.selfie.faceArea = 0.4 * score(&random)
        policy.selfie.frameMarginExit = 0.2 * score(&random)
        policy.selfie.frameMarginEnter = policy.selfie.frameMarginExit
        policy.selfie.yaw = random.one(in: 2) ? 90 * score(&random) : nil
        policy.selfie.tiltBack = 30 * score(&random)
        policy.selfie.tiltForward = 30 * score(&random)
        policy.selfie.tiltSideways = 30 * score(&random)
        policy.selfie.glassesScore = score(&random)
        policy.selfie.coveredFaceScore = score(&random)
        policy.selfie.notASelfieScore = score(&random)
        return policy
    }
}
