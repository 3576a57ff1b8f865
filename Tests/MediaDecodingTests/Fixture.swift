import FoundationEssentials
import MediaChecks
import MediaDecoding
import SessionDomain
import Testing

/// Files of the folder `Fixtures`.
enum Fixture {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }
}

/// The decoder that was built beside the tests.
let decoder = DecoderClient(program: DecoderProgram.find() ?? DecoderProgram(path: "/nonexistent"))

/// Sniffed and opened, as a capture is.
func open(_ bytes: [UInt8], piece: Piece = .passportFront, with decoder: DecoderClient = decoder) throws -> any OpenPicture {
    let source = ByteArraySource(bytes)
    return try decoder.picture(source, try MediaSniffer.sniff(source, for: piece, declaredType: nil))
}

func open(_ name: String, piece: Piece = .passportFront) throws -> any OpenPicture {
    try open(try Fixture.bytes(name), piece: piece)
}

/// All pixels in their own size.
func pixels(_ name: String) throws -> RGBImage { try open(name).pixels(nil, .within(100_000)) }

extension RGBImage {
    func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(bytes[(3 * (y * width + x))...].prefix(3)) }

    /// Mean difference of the channels.
    func distance(_ other: RGBImage) -> Double {
        guard other.width == width, other.height == height else { return 255 }
        var sum = 0
        for index in bytes.indices { sum += abs(Int(bytes[index]) - Int(other.bytes[index])) }
        return Double(sum) / Double(bytes.count)
    }

    /// Largest difference of a channel.
    func largestDistance(_ other: RGBImage) -> Int {
        guard other.width == width, other.height == height else { return 255 }
        return zip(bytes, other.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }
}
