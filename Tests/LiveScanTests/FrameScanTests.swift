import MediaChecks
import SessionDomain
import Testing

@Suite struct FrameScanTests {
    /// Glare and blur ask for models that the scripted supply does not have.
    private static let onlyPage = PassportChecks.none

    private static func policy(_ change: (inout CheckPolicy) -> Void = { _ in }) -> CheckPolicy {
        var policy = CheckPolicy.standard
        policy.passport.frontPage = .page
        policy.passport.brightness = nil
        policy.live.warmUpMilliseconds = 0
        policy.live.passportHoldMilliseconds = 0
        change(&policy)
        return policy
    }

    @Test func `a video is scanned until a streak is complete, and the best frame is kept with its pixels`() throws {
        let models = ScriptedDetector { $0 < 5 ? .nothing : .page }
        var scan = try #require(
            FrameScan(
                .passportFront, CheckPipeline(policy: Self.policy(), models: models), passport: Self.onlyPage, longestSide: 32))
        let video = ScriptedVideo(frames: 10_000)
        try scan.scan(video)
        let captured = try #require(scan.captured)
        #expect(captured.number == 5)
        #expect(captured.image?.width == 32)
        #expect(captured.report.failure == nil)
        #expect(video.returned == 8)
        #expect(scan.guidance[.noDocument] == 1 || scan.guidance[.noDocument] == 2)
    }

    @Test func `nothing good in it: nothing is captured, and the last frame says why`() throws {
        let models = ScriptedDetector { _ in .nothing }
        var scan = try #require(
            FrameScan(.passportFront, CheckPipeline(policy: Self.policy(), models: models), passport: Self.onlyPage))
        try scan.scan(ScriptedVideo(frames: 100))
        #expect(scan.captured == nil)
        #expect(scan.last?.report.failure == .noDocument)
    }

    @Test func `S39 without a model the scan ends with the fault, and nothing was captured or said`() throws {
        let models = ScriptedDetector(isInstalled: false) { _ in .page }
        var scan = try #require(
            FrameScan(.passportFront, CheckPipeline(policy: Self.policy(), models: models), passport: Self.onlyPage))
        #expect(throws: CheckFault.self) { try scan.scan(ScriptedVideo(frames: 100)) }
        #expect(scan.captured == nil && scan.guidance.isEmpty)
    }

    @Test func `a frame whose bytes give no picture ends the streak and not the scan`() throws {
        let models = ScriptedDetector { _ in .page }
        var scan = try #require(
            FrameScan(.passportFront, CheckPipeline(policy: Self.policy(), models: models), passport: Self.onlyPage))
        let picture = FramePicture(RGBImage(width: 8, height: 8, bytes: Array(repeating: 90, count: 192)))
        for number in 0..<9 {
            try scan.look(at: number == 2 ? nil : picture, number: number, timeMilliseconds: Int64(number) * 300)
            if number == 4 { #expect(scan.captured == nil) }
        }
        #expect(scan.captured?.number == 3)
        #expect(scan.unreadable == 1)
        #expect(scan.lookedAt == 6)
        #expect(FrameScan(.hologram, CheckPipeline(models: models)) == nil)
    }

    @Test func `S45 S46 S48 what the pipeline finds becomes what the scan sees`() {
        func frame(_ findings: [Finding]) -> PassportFrame {
            var report = CheckReport(policyVersion: "p")
            report.findings = findings
            return PassportFrame(report, number: 1, timeMilliseconds: 2)
        }
        let page = Finding(metric: "page_score", value: 0.9, passed: true)
        #expect(frame([]).hasDocument == nil)
        #expect(frame([page]).hasDocument == true)
        #expect(frame([page, Finding(metric: "page_with_photo_or_mrz", value: 0, passed: false)]).hasDocument == false)
        #expect(frame([page]).isClearOfGlare == nil)
        #expect(frame([page, Finding(metric: "glare_score", value: 0.2, passed: true)]).isClearOfGlare == true)
        #expect(
            frame([
                Finding(metric: "glare_score", value: 0.2, passed: true),
                Finding(metric: "glare_area", value: 1, passed: false),
            ])
            .isClearOfGlare == false)
        #expect(frame([page, Finding(metric: "laplacian_variance", value: 10)]).isSharp == nil)
        #expect(frame([page, Finding(metric: "blur_score", value: 0.9, passed: false)]).isSharp == false)
        #expect(frame([page, Finding(metric: "finger_overlap", value: 0.5, passed: false)]).isClearOfFingers == false)
        let scored = frame([page, Finding(metric: "glare_score", value: 0.3), Finding(metric: "blur_score", value: 0.1)])
        #expect(abs(scored.score - (0.9 + 0.7 + 0.9) / 3) < 1e-9)
    }

    @Test func `a selfie's findings become what the scan sees, tilt and classes only where they were assessed`() {
        var report = CheckReport(policyVersion: "p")
        let box = NormalizedRect(x: 0.2, y: 0.2, width: 0.4, height: 0.4)
        report.detections = [Detection(name: "face", score: 0.8, box: box)]
        report.findings = [
            Finding(metric: "brightness", value: 99, passed: true), Finding(metric: "face_count", value: 1, passed: true),
            Finding(metric: "face_score", value: 0.8), Finding(metric: "mesh_presence", value: 0.9),
            Finding(metric: "client_tilt_back_degrees", value: 0, passed: true),
            Finding(metric: "client_tilt_forward_degrees", value: 25, passed: false),
            Finding(metric: "client_tilt_sideways_degrees", value: 0),
            Finding(metric: "glasses_score", value: 0.7, passed: false),
        ]
        let frame = SelfieFrame(report, number: 1, timeMilliseconds: 2)
        #expect(frame.faceCount == 1 && frame.face == box && frame.brightness == 99)
        #expect(frame.pitch == -25 && frame.roll == nil)
        #expect(frame.classification == .glasses)
        #expect(abs(frame.score - 0.85) < 1e-9)
        #expect(SelfieFrame(nil, number: 1, timeMilliseconds: 2).faceCount == nil)
    }

    @Test func `a frame is scaled, cut and letterboxed like a picture`() throws {
        // left half black, right half white
        var bytes: [UInt8] = []
        for _ in 0..<20 { for x in 0..<40 { bytes += Array(repeating: x < 20 ? 0 : 255, count: 3) } }
        let picture = FramePicture(RGBImage(width: 40, height: 20, bytes: bytes))
        let same = try picture.pixels(nil, .stretch(width: 40, height: 20))
        #expect(same.bytes == bytes)
        let half = try picture.pixels(nil, .within(20))
        #expect(half.width == 20 && half.height == 10)
        #expect(half.bytes[3 * 3] == 0 && half.bytes[3 * 16] == 255)
        let right = try picture.pixels(.init(x: 0.5, y: 0, width: 0.5, height: 1), .stretch(width: 5, height: 5))
        #expect(right.bytes[3 * 2] == 255)
        let box = try picture.pixels(nil, .letterbox(side: 32))
        #expect(box.width == 32 && box.height == 32)
        #expect(box.bytes[0] == 114)
        #expect(box.bytes[3 * (16 * 32 + 3)] == 0)
        #expect(box.bytes[3 * (16 * 32 + 28)] == 255)
        let tiny = FramePicture(RGBImage(width: 1, height: 1, bytes: [9, 9, 9]))
        #expect(try tiny.pixels(nil, .stretch(width: 3, height: 3)).bytes == Array(repeating: 9, count: 27))
    }

    @Test func `the standard policy is what the machines' own standard values say`() {
        #expect(LiveScanPolicy(CheckPolicy.standard.live, .passportFront) == .passport)
        #expect(LiveScanPolicy(CheckPolicy.standard.live, .selfie) == .selfie)
        let limits = SelfieLimits(CheckPolicy.standard.selfie)
        #expect(abs(limits.faceShare.enter - SelfieLimits.standard.faceShare.enter) < 1e-9)
        var same = limits
        same.faceShare = SelfieLimits.standard.faceShare
        #expect(same == .standard)
    }
}
