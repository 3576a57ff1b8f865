import MediaChecks
import SessionDomain
import TestSupport
import Testing

@Suite struct PassportJudgementTests {
    typealias Script = PassportScript

    @Test func `S44 K20 a finger over the MRZ fails from two hundredths on, and elsewhere passes`() throws {
        #expect(try Script(Script.clean + [Script.fingerOnMRZ]).check().failure == .fingers)
        let beside = try Script(Script.clean + [Script.fingerBeside]).check()
        #expect(beside.failure == nil && beside.finding("finger_overlap")?.value == 0)
        // of the MRZ's width 0.7 a strip of 0.0126 is 1.8 hundredths, one of 0.0154 is 2.2
        #expect(try Script(Script.clean + [("finger", 0.8, 0.5, 0.6, 0.0126, 0.3)]).check().failure == nil)
        let covered = try Script(Script.clean + [("finger", 0.8, 0.5, 0.6, 0.0154, 0.3)]).check()
        #expect(covered.failure == .fingers && covered.finding("finger_overlap")?.direction == .below)
    }

    @Test func `S44 a finger that hides all of the MRZ is seen by the place where an MRZ would be`() throws {
        let hiding: Script.Seen = ("finger", 0.8, 0.3, 0.68, 0.3, 0.3)
        let seen = [Script.page, Script.photo, hiding]
        #expect(try Script(seen).check().failure == .fingers)
        #expect(try Script(seen).check(.passportBack).failure == nil)
        var policy = CheckPolicy.standard
        policy.passport.presumesMRZ = false
        #expect(try Script(seen).check(policy: policy).failure == nil)
    }

    @Test func `S45 each switch leaves the other two on`() throws {
        let finger = Script.clean + [Script.fingerOnMRZ]
        let bad = { (switches: PassportChecks) throws -> CaptureFailure? in
            try Script(finger, glare: 0.9, blurred: 0.9).check(switches: switches).failure
        }
        #expect(try bad(.standard) == .fingers)
        #expect(try bad(PassportChecks(fingers: false)) == .glare)
        #expect(try bad(PassportChecks(glare: false, fingers: false)) == .blurryPhoto)
        #expect(try bad(PassportChecks(glare: false, blur: false)) == .fingers)
        #expect(try bad(PassportChecks.none) == nil)
    }

    @Test func `S46 blur is not asked when fingers or glare failed`() throws {
        for script in [Script(Script.clean + [Script.fingerOnMRZ]), Script(glare: 0.9), Script([])] {
            #expect(try script.check().failure != nil)
            #expect(script.models.calls(.passportBlur) == 0)
        }
    }

    @Test func `S46 a check that is switched off counts as passed`() throws {
        let script = Script(Script.clean + [Script.fingerOnMRZ], glare: 0.9, blurred: 0.9)
        #expect(try script.check(switches: PassportChecks(glare: false, fingers: false)).failure == .blurryPhoto)
        #expect(script.models.calls(.passportBlur) == 1 && script.models.calls(.glare) == 0)
    }

    @Test(arguments: [Piece.passportFront, .passportBack])
    func `S47 S49 blur looks at the page of both sides, and a blurred upload fails`(piece: Piece) throws {
        let script = Script(blurred: 0.9)
        let report = try script.check(piece)
        #expect(report.failure == .blurryPhoto && script.models.inputs(.passportBlur) == [[1, 224, 224, 3]])
        #expect(report.finding("blur_score")?.region == report.page)
        #expect(try Script(blurred: 0.9).check(piece, source: .camera).failure == .blurryPhoto)
    }

    @Test func `S50 detection comes before fingers, fingers before glare, glare before blur`() throws {
        let script = Script(Script.clean + [Script.fingerOnMRZ], glare: 0.9, blurred: 0.9)
        let metrics = try script.check().findings.map(\.metric)
        let wanted = ["page_score", "page_with_photo_or_mrz", "finger_overlap", "glare_score"]
        #expect(metrics.filter { wanted.contains($0) } == wanted && script.models.order == [.passportDetector, .glare])
        #expect(try Script(glare: 0.9, blurred: 0.9).check().failure == .glare)
        #expect(try Script().check().findings.map(\.metric).last == "brightness")
    }

    @Test func `K3 the bright area is measured, and judged where the policy says so`() throws {
        let white = PlainPicture(640, 640, colour: (250, 250, 250))
        let measured = try Script().check(picture: white)
        #expect(measured.failure == nil && measured.finding("glare_area")?.value == 1)
        #expect(measured.finding("glare_area")?.passed == nil)
        var policy = CheckPolicy.standard
        policy.passport.glareArea = 0.08
        let script = Script()
        #expect(try script.check(policy: policy, picture: white).failure == .glare && script.models.calls(.passportBlur) == 0)
        #expect(try Script().check(switches: PassportChecks(glare: false), policy: policy, picture: white).failure == nil)
    }

    @Test func `K4 a page in the dark fails, after everything else`() throws {
        let dark = PlainPicture(640, 640, colour: (20, 20, 20))
        #expect(try Script().check(picture: dark).failure == .tooDark)
        #expect(try Script(blurred: 0.9).check(picture: dark).failure == .blurryPhoto)
        var policy = CheckPolicy.standard
        policy.passport.brightness = nil
        #expect(try Script().check(policy: policy, picture: dark).failure == nil)
    }

    @Test func `K2 without a blur model the variance is judged where the policy says so, and never passed in silence`() throws {
        let script = Script()
        script.models.remove(.passportBlur)
        let fault = #expect(throws: CheckFault.self) { try script.check() }
        #expect(fault?.code == .notReady && fault?.role == .passportBlur && fault?.failure == .scannerNotReady)
        var policy = CheckPolicy.standard
        policy.passport.laplacianVariance = 40
        let report = try script.check(policy: policy)
        #expect(report.failure == .blurryPhoto && report.finding("laplacian_variance")?.passed == false)
        #expect(try script.check(switches: PassportChecks(blur: false)).failure == nil)
    }

    @Test func `every finding names the policy, and every judgement its direction, threshold and model`() throws {
        let report = try Script(Script.clean + [Script.fingerBeside]).check()
        #expect(report.findings.allSatisfy { $0.policyVersion == CheckPolicy.standard.identity })
        for finding in report.findings where finding.passed != nil {
            let direction = try #require(finding.direction)
            let threshold = try #require(finding.threshold)
            #expect(finding.passed == direction.holds(finding.value, threshold), "\(finding.metric)")
        }
        #expect(report.finding("glare_score")?.model == "digest of glare")
        #expect(report.findings.count { $0.metric.hasPrefix("detected_") } == 4)
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, 2, -1, 1e30])
    func `a score that is none is a fault and passes nothing`(number: Float) {
        let script = Script()
        script.models.install(.glare, .scripted(.glare, side: 224, ["clear", "glare"])) { _ in
            [FloatTensor(shape: [1, 2], values: [number, number])]
        }
        let fault = #expect(throws: CheckFault.self) { try script.check() }
        #expect(fault?.code == .modelFailed && fault?.role == .glare)
    }

    @Test(arguments: [[1, 3], [2], [1, 1]]) func `a classifier of another size is a typed error`(shape: [Int]) {
        let script = Script()
        let values = [Float](repeating: 0.3, count: shape.reduce(1, *))
        let names = shape == [2] ? ["clear", "glare", "other"] : ["clear", "glare"]
        script.models.install(.glare, .scripted(.glare, side: 224, names)) { _ in [FloatTensor(shape: shape, values: values)] }
        #expect(#expect(throws: CheckFault.self) { try script.check() }?.detail == "wrong_shape")
    }

    @Test func `a glare model that finds boxes is judged by its best one`() throws {
        let script = Script()
        func install(_ score: Double) {
            let output = YOLOSamples.output(
                [Anchor(box: (100, 100, 40, 40), scores: [score])], classes: 1, side: 224, count: 20)
            script.models.install(.glare, .scripted(.glare, side: 224, ["glare"])) { _ in [output] }
        }
        install(0.8)
        #expect(try script.check().failure == .glare)
        install(0.2)
        #expect(try script.check().failure == nil)
    }
}
