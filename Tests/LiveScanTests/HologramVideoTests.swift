import MediaChecks
import SessionDomain
import Testing

@Suite struct HologramVideoTests {
    private static func settings(_ change: (inout HologramSettings) -> Void = { _ in }) -> HologramSettings {
        var settings = HologramSettings()
        settings.hologramControlEnabled = true
        change(&settings)
        return settings
    }

    private static func check(
        _ video: ScriptedVideo = ScriptedVideo(frames: 100), _ settings: HologramSettings = settings(),
        _ script: @escaping @Sendable (Int) -> ScriptedDetector.Seen
    ) throws -> CheckReport {
        try CheckPipeline(models: ScriptedDetector(script)).check(video: video, settings)
    }

    private static func finding(_ metric: String, _ report: CheckReport) throws -> Finding {
        try #require(report.findings.first { $0.metric == metric })
    }

    @Test func `S83 while the control is off nothing is looked at and nothing said`() throws {
        let video = ScriptedVideo(frames: 100)
        let models = ScriptedDetector { _ in .nothing }
        var settings = HologramSettings()
        (settings.controlFaceCapture, settings.useCardDetection, settings.stopVideoWhileRecording) = (true, true, true)
        let report = try CheckPipeline(models: models).check(video: video, settings)
        #expect(report.findings.isEmpty && report.failure == nil)
        #expect(video.asked.isEmpty && models.calls == 0)
    }

    @Test func `five frames a second are looked at, and no more than the policy says, however long the video is`() throws {
        let short = ScriptedVideo(frames: 100)
        let report = try Self.check(short) { _ in .card }
        #expect(short.returned == 20)
        #expect(short.asked == (0...20).map { Int64($0) * 200 })
        #expect(try Self.finding("video_frames", report).value == 20)
        #expect(try Self.finding("video_ms", report).value == 4_000)
        let long = ScriptedVideo(frames: 1_000_000)
        var policy = CheckPolicy.standard
        policy.hologram.mostFrames = 30
        _ = try CheckPipeline(policy: policy, models: ScriptedDetector { _ in .card }).check(video: long, Self.settings())
        #expect(long.returned == 30)
        // two frames a second: each of them once
        let slow = ScriptedVideo(frames: 10, step: 500)
        _ = try Self.check(slow) { _ in .card }
        #expect(slow.returned == 10)
    }

    @Test func `the share of frames with the card decides only where the session asks for card detection`() throws {
        let rarely: @Sendable (Int) -> ScriptedDetector.Seen = { $0.isMultiple(of: 4) ? .card : .nothing }
        let asked = try Self.check(ScriptedVideo(frames: 100), Self.settings { $0.useCardDetection = true }, rarely)
        #expect(try Self.finding("card_share", asked).value == 0.25)
        #expect(try Self.finding("card_share", asked).passed == false)
        #expect(asked.failure == .hologramCardMissing)
        let unasked = try Self.check(ScriptedVideo(frames: 100), Self.settings(), rarely)
        #expect(try Self.finding("card_share", unasked).passed == nil)
        #expect(unasked.failure == nil)
        let half = try Self.check(ScriptedVideo(frames: 100), Self.settings { $0.useCardDetection = true }) {
            $0 < 10 ? .card : .nothing
        }
        #expect(try Self.finding("card_share", half).passed == true)
    }

    @Test func `S74 a document that left is a finding, and fails where the session stops such a recording`() throws {
        // away from 1.0 s until it is back at 2.2 s
        let left: @Sendable (Int) -> ScriptedDetector.Seen = { (5..<11).contains($0) ? .nothing : .card }
        let strict = try Self.check(ScriptedVideo(frames: 100), Self.settings { $0.stopVideoWhileRecording = true }, left)
        #expect(try Self.finding("card_absence_ms", strict).value == 1_200)
        #expect(strict.failure == .hologramCardMissing)
        let lax = try Self.check(ScriptedVideo(frames: 100), Self.settings(), left)
        #expect(try Self.finding("card_absence_ms", lax).passed == nil)
        #expect(lax.failure == nil)
        let flicker = try Self.check(ScriptedVideo(frames: 100), Self.settings { $0.stopVideoWhileRecording = true }) {
            $0.isMultiple(of: 2) ? .card : .nothing
        }
        #expect(try Self.finding("card_absence_ms", flicker).value == 200)
        #expect(flicker.failure == nil)
        // before the card is first seen it has not left; when it is away at the end it has
        let late = try Self.check(ScriptedVideo(frames: 100), Self.settings()) { $0 < 10 ? .nothing : .card }
        #expect(try Self.finding("card_absence_ms", late).value == 0)
        let gone = try Self.check(ScriptedVideo(frames: 100), Self.settings()) { $0 < 10 ? .card : .nothing }
        #expect(try Self.finding("card_absence_ms", gone).value == 2_000)
    }

    @Test func `S75 without the card's photo in any frame the video is refused, where the session asks for it`() throws {
        let strict = Self.settings { $0.controlFaceCapture = true }
        let never = try Self.check(ScriptedVideo(frames: 100), strict) { _ in .card }
        #expect(never.failure == .hologramFaceMissing)
        let once = try Self.check(ScriptedVideo(frames: 100), strict) { $0 == 7 ? .cardAndPhoto : .card }
        #expect(try Self.finding("face_successes", once).value == 1)
        #expect(once.failure == nil)
        let unasked = try Self.check(ScriptedVideo(frames: 100), Self.settings()) { _ in .card }
        #expect(try Self.finding("face_successes", unasked).passed == nil)
        #expect(unasked.failure == nil)
    }

    @Test func `S81 a video without a frame, or one that breaks off, is at fault itself`() {
        func failure(_ video: ScriptedVideo) -> CaptureFailure? {
            do {
                _ = try CheckPipeline(models: ScriptedDetector { _ in .card }).check(video: video, Self.settings())
                Issue.record("judged all the same")
                return nil
            } catch {
                #expect(error.blamesCapture)
                return error.failure
            }
        }
        #expect(failure(ScriptedVideo(frames: 0)) == .mediaUnreadable)
        let broken = ScriptedVideo(frames: 100)
        broken.breaksAt = 30
        #expect(failure(broken) == .truncated)
    }

    @Test func `S39 without a detector nothing is said about the video`() {
        let pipeline = CheckPipeline(models: ScriptedDetector(isInstalled: false) { _ in .card })
        #expect(throws: CheckFault.self) { try pipeline.check(video: ScriptedVideo(frames: 10), Self.settings()) }
    }

    @Test func `K30 the local measure and the glare never decide`() throws {
        let everything = Self.settings {
            ($0.useCardDetection, $0.controlFaceCapture, $0.stopVideoWhileRecording) = (true, true, true)
        }
        let report = try Self.check(ScriptedVideo(frames: 100), everything) { _ in .cardAndPhoto }
        for metric in ["hologram_area_share", "glare_share"] {
            let finding = try Self.finding(metric, report)
            #expect(finding.passed == nil)
            #expect(finding.threshold != nil)
        }
        #expect(try Self.finding("hologram_area_share", report).value == 0)
        #expect(report.failure == nil)
        #expect(report.findings.allSatisfy { $0.policyVersion == CheckPolicy.standard.identity })
    }

    @Test func `the policy's section is read back as it was written`() throws {
        var policy = CheckPolicy(version: "mine")
        policy.hologram.sampleMilliseconds = 100
        policy.hologram.areaShare = 0.03
        #expect(try CheckPolicy(json: policy.json) == policy)
    }
}
