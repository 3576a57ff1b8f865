import MediaChecks
import MediaDecoding
import SessionDomain
import SystemCalls
import Testing

/// Bytes that the sniffer refuses are given to the decoder as if it had not: the second line holds alone.
@Suite struct CompletenessTests {
    private func refusal(_ bytes: [UInt8], as name: String, _ change: (inout SniffedMedia) -> Void = { _ in }) throws
        -> DecodingRefusal?
    {
        var media = try MediaSniffer.sniff(
            ByteArraySource(try Fixture.bytes(name)), for: .passportFront, declaredType: nil)
        media.bytes = Int64(bytes.count)
        change(&media)
        do throws(DecodingRefusal) {
            let picture = try decoder.picture(ByteArraySource(bytes), media)
            _ = try picture.pixels(nil, .letterbox(side: 64))
            return nil
        } catch { return error }
    }

    @Test(arguments: [
        "jpeg/baseline.jpg", "jpeg/progressive.jpg", "jpeg/cmyk.jpg", "formats/portrait.png", "formats/portrait.heic",
    ])
    func `F24 half a picture is refused and never filled up with grey`(name: String) throws {
        let whole = try Fixture.bytes(name)
        let found = try refusal(Array(whole.prefix(whole.count / 2)), as: name)
        #expect(
            found?.cause == .truncated || (found?.cause == .unreadable && !name.contains("jpeg")),
            "\(String(describing: found))")
    }

    @Test(arguments: ["damaged/baseline-end-marker-missing.jpg", "damaged/progressive-end-marker-missing.jpg"])
    func `F24 only the end marker missing is a whole picture`(name: String) throws {
        let picture = try pixels(name)
        #expect(picture.distance(try pixels("jpeg/baseline.jpg")) < 1)
    }

    @Test func `F23 a bomb is refused at once, by the header and again by the decoder's`() throws {
        let bomb = try Fixture.bytes("damaged/bomb-64250x64250.jpg")
        // The quickest of three: another process may have had the processor.
        var quickest = Int64.max
        for _ in 0..<3 {
            let began = SystemClock.monotonicNanoseconds()
            #expect(throws: MediaRefusal.imageTooLarge) {
                _ = try MediaSniffer.sniff(ByteArraySource(bomb), for: .passportFront, declaredType: nil)
            }
            let claimed = try refusal(bomb, as: "jpeg/baseline.jpg") {
                $0.storedWidth = 64_250
                $0.storedHeight = 64_250
            }
            #expect(claimed?.cause == .tooLarge)
            quickest = min(quickest, SystemClock.monotonicNanoseconds() - began)
        }
        #expect(quickest < 100_000_000)
        // The client was told another size: the decoder looks for itself.
        #expect(try refusal(bomb, as: "jpeg/baseline.jpg")?.cause == .tooLarge)
        #expect(try refusal(try Fixture.bytes("damaged/bomb-50000x50000.png"), as: "formats/portrait.png")?.cause == .tooLarge)
    }

    @Test func `two readers of one header must agree`() throws {
        let bytes = try Fixture.bytes("jpeg/baseline.jpg")
        let found = try refusal(bytes, as: "jpeg/baseline.jpg") { $0.storedWidth += 1 }
        #expect(found?.cause == .unreadable && found?.detail == "size")
    }

    @Test(arguments: ["hologram.mp4", "documents/one-page.pdf", "formats/portrait.heic", "formats/portrait.png", "README.md"])
    func `F26 what is no JPEG is not opened as something else`(name: String) throws {
        let found = try refusal(try Fixture.bytes(name), as: "jpeg/baseline.jpg")
        #expect(found?.cause == .unreadable && found?.detail == "header", "\(String(describing: found))")
    }

    @Test func `a medium that cannot be read, or that grows, says nothing about the capture`() throws {
        let bytes = try Fixture.bytes("jpeg/baseline.jpg")
        let media = try MediaSniffer.sniff(ByteArraySource(bytes), for: .passportFront, declaredType: nil)
        #expect(throws: DecodingRefusal.self) { _ = try decoder.picture(BrokenSource(size: media.bytes), media) }
        #expect(try refusal(bytes, as: "jpeg/baseline.jpg") { $0.bytes -= 1 }?.cause == .unavailable)
    }

    @Test func `more pixels than are handed out at once are not asked for`() throws {
        let picture = try open("jpeg/baseline.jpg")
        #expect(throws: DecodingRefusal.self) { _ = try picture.pixels(nil, .stretch(width: 30_000, height: 30_000)) }
        #expect(throws: DecodingRefusal.self) { _ = try picture.pixels(nil, .stretch(width: 0, height: 5)) }
        #expect(try picture.pixels(nil, .within(10)).width == 10)
    }
}
