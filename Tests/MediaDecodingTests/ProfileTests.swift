import MediaChecks
import MediaDecoding
import Testing

@Suite struct ProfileTests {
    /// A profile of ICC.1 with a matrix and one curve: sRGB's primaries with red and green exchanged.
    private func exchanging(gamma: UInt16 = 0x0233) -> [UInt8] {
        func fixed(_ numbers: Double...) -> [UInt8] {
            numbers.flatMap { PNGBuilder.big(UInt32(bitPattern: Int32(($0 * 65_536).rounded()))) }
        }
        func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] { Array("XYZ ".utf8) + [0, 0, 0, 0] + fixed(x, y, z) }
        let curve = Array("curv".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, UInt8(gamma >> 8), UInt8(truncatingIfNeeded: gamma), 0, 0]
        let tags: [(String, [UInt8])] = [
            ("wtpt", xyz(0.9642, 1, 0.8249)), ("rXYZ", xyz(0.3851, 0.7169, 0.0971)), ("gXYZ", xyz(0.4361, 0.2225, 0.0139)),
            ("bXYZ", xyz(0.1431, 0.0606, 0.7141)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
        ]
        var table = PNGBuilder.big(UInt32(tags.count))
        var data: [UInt8] = []
        for (name, content) in tags {
            let offset = 128 + 4 + 12 * tags.count + data.count
            table += Array(name.utf8) + PNGBuilder.big(UInt32(offset)) + PNGBuilder.big(UInt32(content.count))
            data += content
        }
        var head = PNGBuilder.big(UInt32(128 + table.count + data.count)) + [0, 0, 0, 0, 2, 0x20, 0, 0]
        head += Array("mntrRGB XYZ ".utf8) + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
        head += [UInt8](repeating: 0, count: 68 - head.count) + fixed(0.9642, 1, 0.8249)
        return head + [UInt8](repeating: 0, count: 128 - head.count) + table + data
    }

    private func red(_ profile: [UInt8]) throws -> [UInt8] {
        let file = PNGBuilder.file(8, 8, depth: 8, channels: 3, profile: profile) { _, _, channel in channel == 0 ? 255 : 0 }
        return try open(file).pixels(nil, .within(8)).pixel(4, 4)
    }

    @Test func `colours are those that the picture's profile means`() throws {
        let pixel = try red(exchanging())
        #expect(pixel[0] < 30 && pixel[1] > 225 && pixel[2] < 30, "\(pixel)")
    }

    @Test func `a profile that makes no sense is as none`() throws {
        var broken = exchanging()
        broken.replaceSubrange(128..<132, with: [0x7F, 0xFF, 0xFF, 0xFF])
        #expect(try red(broken) == [255, 0, 0])
        #expect(try red(Array("no profile at all".utf8)) == [255, 0, 0])
    }
}
