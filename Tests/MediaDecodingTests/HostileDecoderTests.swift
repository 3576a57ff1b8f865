import MediaChecks
import MediaDecoding
import SystemCalls
import Testing

/// Once a decoder has seen hostile bytes it may do and say anything.
@Suite(.serialized) struct HostileDecoderTests {
    /// Those that wait wait little; the others have the time that a busy machine needs.
    private static func limits(_ mode: String, start: Int64 = 20_000) -> DecodingLimits {
        let waits = ["hang", "stop", "drip", "child", "image-slow"].contains(mode)
        return DecodingLimits(
            pictureMilliseconds: waits ? 400 : 10_000, videoMilliseconds: mode == "flood" ? 400 : 10_000,
            startMilliseconds: start)
    }

    /// How a picture fares with a decoder that misbehaves in one way, and that nothing of it is left.
    private func refusal(_ mode: String, start: Int64 = 20_000, jpeg: Bool = false) throws -> DecodingRefusal? {
        let before = try Belongings.now()
        let found = try outcome(mode, start: start, jpeg: jpeg)
        let after = try Belongings.now()
        #expect(after.children.isSubset(of: before.children), "\(mode): a child was left, or not waited for")
        #expect(after.descriptors <= before.descriptors, "\(mode): a descriptor was left open")
        return found
    }

    private func outcome(_ mode: String, start: Int64, jpeg: Bool) throws -> DecodingRefusal? {
        let script = try ScriptedProgram("fake_decoder.py", mode)
        let decoder = DecoderClient(program: script.program, limits: Self.limits(mode, start: start), keepsSpare: false)
        let source = ByteArraySource(try Fixture.bytes("jpeg/tiny-baseline.jpg"))
        let media = try MediaSniffer.sniff(source, for: .passportFront, declaredType: nil)
        do throws(DecodingRefusal) {
            let picture = try decoder.picture(source, media)
            if jpeg { _ = try picture.jpeg(nil, longestSide: 20) } else { _ = try picture.pixels(nil, .within(20)) }
            return nil
        } catch { return error }
    }

    @Test(arguments: ["start-leave", "start-garbage", "start-other-version"])
    func `a decoder that does not start says nothing about the capture`(mode: String) throws {
        #expect(try refusal(mode)?.cause == .unavailable)
    }

    @Test func `nor does one that never gets ready`() throws {
        #expect(try refusal("start-hang", start: 400)?.cause == .unavailable)
    }

    @Test func `nor one that is not there`() throws {
        let decoder = DecoderClient(program: DecoderProgram(path: "/nonexistent/decoder"))
        let refusal = #expect(throws: DecodingRefusal.self) { _ = try open(try Fixture.bytes("selfie.jpg"), with: decoder) }
        #expect(refusal?.cause == .unavailable)
    }

    @Test(arguments: ["hang", "stop", "drip", "child", "image-slow"])
    func `one that takes too long is killed`(mode: String) throws {
        let began = SystemClock.monotonicNanoseconds()
        let found = try refusal(mode)
        #expect(found?.cause == .limits && found?.detail == "wall_clock", "\(String(describing: found))")
        #expect(SystemClock.monotonicNanoseconds() - began < 15_000_000_000)
    }

    @Test(arguments: [("signal-9", "signal_9"), ("signal-24", "signal_24")])
    func `one that a limit ended is told by the signal`(mode: String, detail: String) throws {
        let found = try refusal(mode)
        #expect(found?.cause == .limits && found?.detail == detail, "\(String(describing: found))")
    }

    @Test(arguments: [
        ("signal-11", "signal_11"), ("signal-6", "signal_6"), ("leave", "exit_0"), ("half", "exit_0"),
        ("image-short", "exit_0"),
    ])
    func `one that crashes is told by its end`(mode: String, detail: String) throws {
        let found = try refusal(mode)
        #expect(found?.cause == .crashed && found?.detail == detail, "\(String(describing: found))")
    }

    @Test(arguments: [
        "garbage", "unknown-kind", "unknown-refusal", "endless-length", "negative-length", "huge-size", "negative-size",
        "no-size",
        "flood", "image-endless", "image-other-size", "image-end",
    ])
    func `one that talks nonsense is not believed`(mode: String) throws {
        let found = try refusal(mode)
        #expect(found?.cause == .crashed && found?.detail == "protocol", "\(String(describing: found))")
    }

    @Test func `what is no JPEG is not handed on as one`() throws {
        #expect(try refusal("image-no-jpeg", jpeg: true)?.detail == "protocol")
    }

    @Test(arguments: ["flood", "wants-outside", "wants-before", "wants-too-much", "image-end"])
    func `a video's decoder gets what is in the video, and not for ever`(mode: String) throws {
        let script = try ScriptedProgram("fake_decoder.py", mode)
        let decoder = DecoderClient(program: script.program, limits: Self.limits(mode))
        let source = ByteArraySource(try Fixture.bytes("hologram.mp4"))
        let media = try MediaSniffer.sniff(source, for: .hologram, declaredType: nil)
        let before = try Belongings.now()
        var found: DecodingRefusal?
        do throws(DecodingRefusal) {
            let video = try decoder.video(source, media)
            #expect(try video.frame(atMilliseconds: 0, .within(64)) == nil && mode == "image-end")
        } catch { found = error }
        #expect(
            mode == "image-end" ? found == nil : found?.cause == (mode == "flood" ? .limits : .crashed),
            "\(String(describing: found))")
        #expect(try Belongings.now().children.isSubset(of: before.children))
    }
}
