import MediaChecks
import Testing

@Suite struct VideoTests {
    @Test func `a hologram video tells its size and length`() throws {
        let media = try #require(try Verdict.of(fixture: "hologram.mp4", for: .hologram, declared: "video/mp4").media)
        #expect(media.type == .mp4 && [media.width, media.height] == [640, 360])
        #expect(media.rotation == 0 && media.orientation == 1 && media.flags == [])
        let duration = try #require(media.durationMilliseconds)
        #expect((2500...2600).contains(duration))
    }

    @Test func `a phone's MOV is upright after its matrix`() throws {
        let media = try #require(try Verdict.of(fixture: "videos/rotated-90.mov", for: .hologram).media)
        #expect(media.type == .mov && media.rotation == 90)
        #expect([media.width, media.height] == [360, 640])
        #expect([media.storedWidth, media.storedHeight] == [640, 360])
    }

    @Test func `a fragmented MP4 is accepted without a length`() throws {
        let media = try #require(try Verdict.of(fixture: "videos/fragmented.mp4", for: .hologram).media)
        #expect(media.durationMilliseconds == nil && media.has(.fragmented))
    }

    @Test func `S81 an interrupted recording is unreadable by name`() throws {
        let verdict = try Verdict.of(fixture: "videos/interrupted-recording.mov", for: .hologram)
        #expect(verdict.refusal == "media_unreadable(no_movie_header)")
    }

    @Test func `S81 a video cut in half is truncated by name`() throws {
        #expect(try Verdict.of(fixture: "videos/truncated.mp4", for: .hologram).refusal == "truncated(movie_boxes)")
        let whole = try Fixture.bytes("hologram.mp4")
        #expect(Verdict.of(whole.dropLast(1), for: .hologram).refusal == "truncated(movie_boxes)")
    }

    @Test func `S81 a movie without a video track is unreadable by name`() throws {
        var bytes = try Fixture.bytes("hologram.mp4")
        // The handler of the only track; its kind follows twelve bytes after the name of the box.
        let handler = try #require(bytes.firstOffset(of: "hdlr")) + 12
        bytes.replaceSubrange(handler..<handler + 4, with: "soun".utf8)
        #expect(Verdict.of(bytes, for: .hologram).refusal == "media_unreadable(no_video_track)")
    }

    @Test func `S81 a chunk that lies past the end is truncated by name`() throws {
        var bytes = try Fixture.bytes("hologram.mp4")
        let table = try #require(bytes.lastOffset(of: "stco"))
        bytes[table + 12] = 0x7F
        #expect(Verdict.of(bytes, for: .hologram).refusal == "truncated(movie_data)")
    }

    @Test(arguments: [0, 90, 180, 270])
    func `S82 a rotation by quarter turns is plain`(degrees: Int) throws {
        var media = try #require(try Verdict.of(fixture: "hologram.mp4", for: .hologram).media)
        media.note(rotationAskedFor: degrees)
        #expect(media.flags == [])
    }

    @Test(arguments: [-90, 1, 45, 360, Int.max, Int.min])
    func `S82 another rotation is accepted and flagged`(degrees: Int) throws {
        var media = try #require(try Verdict.of(fixture: "hologram.mp4", for: .hologram).media)
        media.note(rotationAskedFor: degrees)
        #expect(media.flags == ["unusual_rotation"])
        #expect(media.rotation == 0)
    }
}
