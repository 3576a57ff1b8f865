import MediaChecks
import SessionDomain
import TestSupport
import Testing

@Suite struct SelfieTests {
    typealias Script = SelfieScript
    private let tilted = [
        Measurement(metric: "tilt_pitch_degrees", value: 60), Measurement(metric: "tilt_roll_degrees", value: -50),
    ]

    @Test func `K10 S57 exactly one face passes, none and several are different failures`() throws {
        #expect(try Script().check().failure == nil)
        #expect(try Script([]).check().failure == .noFace)
        #expect(try Script(Script.two).check().failure == .severalFaces)
        #expect(try Script([]).check(source: .camera).failure == .noFace)
        #expect(try Script(Script.two).check(source: .camera).failure == .severalFaces)
    }

    @Test func `K10 a face counts where detector and mesh agree`() throws {
        let doubtful = [Script.Seen(x: 0.1, side: 0.3), Script.Seen(x: 0.6, side: 0.3, score: 0.7, presence: 0.1)]
        let report = try Script(doubtful).check()
        #expect(report.failure == nil && report.finding("face_count")?.value == 1 && report.detections.count == 1)
    }

    @Test func `S57 without a classifier the mesh says that it is not a selfie, of uploads alone`() throws {
        let flower = [Script.Seen(score: 0.61, presence: 0.001)]
        #expect(try Script(flower).check().failure == .notASelfie)
        #expect(try Script(flower).check(source: .camera).failure == .noFace)
        #expect(try Script([]).check().finding("not_a_selfie_score")?.passed == nil)
    }

    @Test func `K5 S57 too dark is of the whole picture and has no switch`() throws {
        let dark = PlainPicture(640, 640, colour: (30, 30, 30))
        let dim = PlainPicture(640, 640, colour: (41, 41, 41))
        for source in [CaptureSource.camera, .gallery] {
            #expect(try Script().check(source: source, .none, picture: dark).failure == .tooDark)
            #expect(try Script().check(source: source, .none, picture: dim).failure == nil)
        }
        #expect(try Script([]).check(picture: dark).failure == .tooDark)
    }

    @Test func `S64 K11 a small face passes on an upload and is too far live`() throws {
        let small = [Script.Seen(x: 0.4, y: 0.4, side: 0.2)]
        #expect(try Script(small).check().failure == nil)
        let live = try Script(small).check(source: .camera)
        #expect(live.failure == .tooFar && abs((live.finding("face_area")?.value ?? 0) - 0.04) < 1e-4)
    }

    @Test func `S57 K14 a face at the edge is outside the viewfinder live, and passes on an upload`() throws {
        let edge = [Script.Seen(x: 0.02, y: 0.3, side: 0.4)]
        #expect(try Script(edge).check().failure == nil)
        #expect(try Script(edge).check(source: .camera).failure == .outsideViewfinder)
        // one picture is judged by the limit at which a scan lets a face go, so that what it captured is not refused later
        #expect(try Script([Script.Seen(x: 0.08, y: 0.3, side: 0.4)]).check(source: .camera).failure == nil)
    }

    @Test(arguments: [
        ("tilt_pitch_degrees", 21.0, CaptureFailure?.some(.leaningBack)), ("tilt_pitch_degrees", -21, .leaningForward),
        ("tilt_roll_degrees", 16, .tiltedSideways), ("tilt_roll_degrees", -16, .tiltedSideways),
        ("tilt_pitch_degrees", 20, nil), ("tilt_roll_degrees", -15, nil),
    ])
    func `S58 K16 the phone leaning back, forward or sideways fails live`(
        metric: String, value: Double, wanted: CaptureFailure?
    ) throws {
        let measured = [Measurement(metric: metric, value: value)]
        #expect(try Script().check(source: .camera, measurements: measured).failure == wanted)
        #expect(try Script().check(source: .camera, SelfieChecks(phoneStraight: false), measurements: measured).failure == nil)
        #expect(try Script().check(source: .file, measurements: measured).failure == nil)
    }

    @Test func `S58 an upload carries no tilt, and a live capture without one is not assessed`() throws {
        #expect(try Script().check(measurements: tilted).findings.allSatisfy { !$0.metric.contains("tilt") })
        let live = try Script().check(source: .camera)
        let findings = live.findings.filter { $0.metric.contains("tilt") }
        #expect(findings.count == 3 && findings.allSatisfy { $0.passed == nil && $0.threshold == nil } && live.failure == nil)
    }

    @Test func `S63 what the client measured is recorded as its own`() throws {
        let live = try Script().check(source: .camera, measurements: tilted)
        #expect(
            live.finding("client_tilt_back_degrees")?.value == 60 && live.finding("client_tilt_sideways_degrees")?.value == 50)
        #expect(live.findings.filter { $0.metric.hasPrefix("client_") }.allSatisfy { $0.model == nil })
        let script = Script()
        script.models.remove(.faceDetector)
        let counted = { (faces: Double) throws -> CheckReport in
            try script.check(measurements: [Measurement(metric: "face_count", value: faces)])
        }
        #expect(try counted(1).failure == nil && counted(0).failure == .noFace && counted(2).failure == .severalFaces)
        #expect(try counted(1).finding("client_face_count")?.passed == true && counted(1).finding("face_count") == nil)
    }

    @Test func `S63 without a face model and without the client's word nothing is said`() {
        let script = Script()
        script.models.remove(.faceMesh)
        let fault = #expect(throws: CheckFault.self) { try script.check() }
        #expect(fault?.code == .notReady && fault?.role == .faceMesh)
    }

    @Test func `S59 with both switches off the classifier is not called live`() throws {
        let script = Script(classifier: [0.1, 0.8, 0.05, 0.05])
        let off = SelfieChecks(glasses: false, coveredFace: false)
        #expect(try script.check(source: .camera, off).failure == nil && script.models.calls(.selfieClassifier) == 0)
        let on = Script(classifier: [0.1, 0.8, 0.05, 0.05])
        #expect(try on.check(source: .camera).failure == .glasses && on.models.calls(.selfieClassifier) == 1)
    }

    @Test func `S60 on uploads the classifier still runs with both switches off`() throws {
        let off = SelfieChecks(glasses: false, coveredFace: false)
        let script = Script(classifier: [0.1, 0.1, 0.1, 0.7])
        #expect(try script.check(off).failure == .notASelfie && script.models.calls(.selfieClassifier) == 1)
        let glasses = try Script(classifier: [0.1, 0.8, 0.05, 0.05]).check(off)
        #expect(glasses.failure == nil && glasses.finding("glasses_score")?.passed == nil)
    }

    @Test func `S56 S59 each switch gates its own class`() throws {
        func failure(_ scores: [Double], _ switches: SelfieChecks) throws -> CaptureFailure? {
            try Script(classifier: scores).check(source: .camera, switches).failure
        }
        let (glasses, covered) = ([0.1, 0.8, 0.05, 0.05], [0.1, 0.05, 0.8, 0.05])
        #expect(try failure(glasses, .standard) == .glasses && failure(covered, .standard) == .coveredFace)
        #expect(try failure(glasses, SelfieChecks(glasses: false)) == nil)
        #expect(try failure(covered, SelfieChecks(glasses: false)) == .coveredFace)
        #expect(try failure(covered, SelfieChecks(coveredFace: false)) == nil)
        #expect(try failure(covered, .none) == nil)
    }

    @Test func `S61 the classes come in the descriptor's order`() throws {
        let names = ["not_a_selfie", "covered_face", "ok", "glasses"]
        #expect(try Script(classifier: [0.05, 0.05, 0.1, 0.8], names: names).check().failure == .glasses)
        #expect(try Script(classifier: [0.8, 0.05, 0.1, 0.05], names: names).check().failure == .notASelfie)
    }

    @Test func `S61 an output that is not 4-way is a typed error`() {
        let four = ["ok", "glasses", "covered_face", "not_a_selfie"]
        for (scores, names) in [
            ([0.5, 0.3, 0.2], four), ([0.2, 0.2, 0.2, 0.2, 0.2], four), ([0.5, 0.5], ["ok", "glasses"]),
            ([0.2, 0.3, 0.2, 0.3], ["ok", "glasses", "covered_face", "mask"]),
        ] {
            let fault = #expect(throws: CheckFault.self) { try Script(classifier: scores, names: names).check() }
            #expect(fault?.code == .modelFailed && fault?.role == .selfieClassifier)
        }
    }

    @Test func `without a classifier glasses and a covered face are not assessed, and never passed`() throws {
        for source in [CaptureSource.camera, .file] {
            let report = try Script().check(source: source)
            for metric in ["glasses_score", "covered_face_score"] {
                let finding = try #require(report.finding(metric))
                #expect(finding.passed == nil && finding.model == nil && finding.threshold == nil && finding.direction == nil)
            }
        }
    }

    @Test func `uploads are also looked at in squares, and one face seen twice is one face`() throws {
        let script = Script()
        #expect(try script.check().failure == nil && script.models.calls(.faceDetector) == 10)
        let live = Script()
        _ = try live.check(source: .camera)
        #expect(live.models.calls(.faceDetector) == 1)
    }

    @Test func `pose is measured in degrees, and judged where the policy says so`() throws {
        let report = try Script().check()
        for metric in ["yaw_degrees", "pitch_degrees", "roll_degrees"] {
            let finding = try #require(report.finding(metric))
            #expect(abs(finding.value) < 0.01 && finding.passed == nil)
        }
        var policy = CheckPolicy.standard
        policy.selfie.yaw = 5
        #expect(try Script().check(policy: policy).finding("yaw_degrees")?.passed == true)
    }

    @Test func `quality is measured and decides nothing`() throws {
        let report = try Script().check()
        let quality = report.findings.filter { $0.metric.hasPrefix("quality_") }
        #expect(quality.count == 6 && quality.allSatisfy { $0.passed == nil })
        var policy = CheckPolicy.standard
        policy.selfie.quality = false
        #expect(try Script().check(policy: policy).findings.allSatisfy { !$0.metric.hasPrefix("quality_") })
    }
}
