import MediaChecks
import MediaDecoding
import Testing

@Suite struct VideoTests {
    private func video(_ name: String) throws -> any OpenVideo {
        let source = ByteArraySource(try Fixture.bytes(name))
        return try decoder.video(source, try MediaSniffer.sniff(source, for: .hologram, declaredType: nil))
    }

    @Test func `frames come at or after the time that was asked for, each once, and end`() throws {
        let video = try video("hologram.mp4")
        #expect(video.width == 640 && video.height == 360)
        #expect(video.durationMilliseconds.map { (2400...2600).contains($0) } == true)
        var times: [Int64] = []
        var wanted: Int64 = 0
        while let frame = try video.frame(atMilliseconds: wanted, .within(320)) {
            #expect(frame.timeMilliseconds >= wanted)
            #expect(frame.image.width == 320 && frame.image.height == 180)
            times.append(frame.timeMilliseconds)
            wanted = frame.timeMilliseconds + 200
        }
        #expect(times.first == 0)
        #expect((10...13).contains(times.count), "\(times)")
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 200 && $1 - $0 < 280 }, "\(times)")
        #expect(try video.frame(atMilliseconds: 0, .within(320)) == nil)
    }

    @Test func `asked for the same time again the next frame comes`() throws {
        let video = try video("hologram.mp4")
        let first = try #require(try video.frame(atMilliseconds: 0, .within(64)))
        let second = try #require(try video.frame(atMilliseconds: 0, .within(64)))
        #expect(second.timeMilliseconds > first.timeMilliseconds)
    }

    @Test func `a video is turned as its matrix says`() throws {
        let turned = try video("videos/rotated-90.mov")
        #expect(turned.width < turned.height)
        let frame = try #require(try turned.frame(atMilliseconds: 0, .within(10_000))).image
        #expect(frame.width == turned.width && frame.height == turned.height)
        // The same film lies on its side: its left column is the upright one's top row.
        let boxed = try #require(try turned.frame(atMilliseconds: 100, .letterbox(side: 128))).image
        #expect(boxed.width == 128 && boxed.pixel(0, 64) == [114, 114, 114] && boxed.pixel(64, 64) != [114, 114, 114])
    }

    @Test func `a fragmented video is read as well`() throws {
        let video = try video("videos/fragmented.mp4")
        #expect(try video.frame(atMilliseconds: 500, .letterbox(side: 64)) != nil)
    }

    @Test func `a long video is never held in memory`() throws {
        // 500 MB whose frames lie at the end: what is behind the header is asked for by place.
        let whole = try Fixture.bytes("videos/rotated-90.mov")
        let source = PaddedVideo(whole, padding: 500 << 20)
        var media = try MediaSniffer.sniff(ByteArraySource(whole), for: .hologram, declaredType: nil)
        media.bytes = source.size
        let video = try decoder.video(source, media)
        #expect(try video.frame(atMilliseconds: 1000, .within(64)) != nil)
        #expect(source.bytesRead < 4 << 20)
    }

    @Test func `a video without its index is refused even where nobody looked at it before`() throws {
        let bytes = try Fixture.bytes("videos/interrupted-recording.mov")
        var media = try MediaSniffer.sniff(
            ByteArraySource(try Fixture.bytes("hologram.mp4")), for: .hologram, declaredType: nil)
        media.bytes = Int64(bytes.count)
        let refusal = #expect(throws: DecodingRefusal.self) {
            let video = try decoder.video(ByteArraySource(bytes), media)
            while try video.frame(atMilliseconds: 0, .within(64)) != nil {}
        }
        #expect(refusal?.cause == .unreadable)
    }

    @Test func `a medium that cannot be read says nothing about the capture`() throws {
        let media = try MediaSniffer.sniff(
            ByteArraySource(try Fixture.bytes("hologram.mp4")), for: .hologram, declaredType: nil)
        let refusal = #expect(throws: DecodingRefusal.self) { _ = try decoder.video(BrokenSource(size: media.bytes), media) }
        #expect(refusal?.cause == .unavailable)
    }
}
