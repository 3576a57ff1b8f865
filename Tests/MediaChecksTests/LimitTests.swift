import FoundationEssentials
import MediaChecks
import SessionDomain
import Testing

@Suite struct LimitTests {
    @Test(arguments: ["damaged/bomb-64250x64250.jpg", "damaged/bomb-50000x50000.png"])
    func `F23 a bomb is refused from its header, at once and in little memory`(name: String) throws {
        let bytes = try Fixture.bytes(name)
        let source = CountingSource(size: Int64(bytes.count), [(0, bytes)])
        let before = try Self.residentBytes()
        var verdict: Verdict?
        let elapsed = ContinuousClock().measure { verdict = Verdict.of(source) }
        #expect(verdict?.refusal == "image_too_large")
        #expect(elapsed < .milliseconds(100))
        #expect(try Self.residentBytes() - before < 50 << 20)
        #expect(source.bytesRead <= 8 << 10)
    }

    @Test func `a picture over the byte limit is refused before its header is believed`() throws {
        let bytes = try Fixture.bytes("selfie.jpg")
        let limits = MediaLimits(maxImageBytes: Int64(bytes.count) - 1)
        #expect(Verdict.of(bytes, for: .selfie, limits: limits).refusal == "file_too_large(jpeg)")
        let enough = MediaLimits(maxImageBytes: Int64(bytes.count), maxPixels: 384 * 512, maxDimension: 512)
        #expect(Verdict.of(bytes, for: .selfie, limits: enough).media != nil)
        #expect(Verdict.of(bytes, for: .selfie, limits: MediaLimits(maxPixels: 384 * 512 - 1)).refusal == "image_too_large")
        #expect(Verdict.of(bytes, for: .selfie, limits: MediaLimits(maxDimension: 511)).refusal == "image_too_large")
    }

    @Test func `a video of 500 MB is judged by its boxes alone`() throws {
        let movie = try Fixture.bytes("videos/rotated-90.mov")
        let header = try #require(movie.lastOffset(of: "moov")) - 4
        let start = try #require(movie.lastOffset(of: "mdat")) - 4
        let size: Int64 = 500_000_000
        let data = HEICBuilder.big(UInt32(size - Int64(start) - Int64(movie.count - header))) + Array("mdat".utf8)
        let source = CountingSource(
            size: size,
            [
                (0, Array(movie[..<start])), (Int64(start), data),
                (size - Int64(movie.count - header), Array(movie[header...])),
            ])
        let media = try #require(Verdict.of(source, for: .hologram).media)
        #expect(media.type == .mov && media.bytes == size)
        #expect(source.bytesRead < 256 << 10)
        let limits = MediaLimits(maxVideoBytes: size - 1)
        #expect(Verdict.of(source, for: .hologram, limits: limits).refusal == "file_too_large(mov)")
    }

    @Test func `the scan of a long JPEG is streamed in windows of 64 KiB`() throws {
        let bytes = try Fixture.bytes("jpeg/tiny-baseline.jpg")
        let size: Int64 = 8 << 20
        let source = CountingSource(
            size: size, filler: 0x55, [(0, Array(bytes.dropLast(2))), (size - 2, [0xFF, 0xD9])])
        #expect(Verdict.of(source).media != nil)
        #expect(source.largestRead == 64 << 10)
        #expect(Int64(source.bytesRead) <= size + (64 << 10))
    }

    @Test func `a medium that fails while it is read is unreadable`() {
        struct Broken: ByteSource {
            let size: Int64 = 1000
            func read(at offset: Int64, into buffer: inout [UInt8]) throws(MediaReadFailure) -> Int {
                throw MediaReadFailure(systemCode: 5)
            }
        }
        #expect(Verdict.of(Broken()).refusal == "media_unreadable(storage)")
    }

    /// The second number of `/proc/self/statm` is in pages of 4 KiB.
    private static func residentBytes() throws -> Int {
        let text = try String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8)
        return (Int(text.split(separator: " ")[1]) ?? 0) * 4096
    }
}
