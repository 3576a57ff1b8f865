package import MediaChecks
import Synchronization

/// A decoder without a decoder: every picture is what the test says, and every video a list of such pictures. Counts what it was asked.
package final class SampleDecoder: PictureDecoder {
    /// What a picture or a frame looks like.
    package typealias Painter = (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8)

    package enum Answer: Sendable {
        case image(RGBImage)
        case refusal(DecodingRefusal)
    }

    private let answer: @Sendable (SniffedMedia) -> Answer
    private let frames: [VideoFrame]
    private let opened = Mutex(0)

    /// Pictures and videos opened so far.
    package var openedCount: Int { opened.withLock { $0 } }

    /// - Parameters:
    ///   - frames: of every video, in the order of their times.
    ///   - answer: for every picture, by what the sniffer said about it.
    package init(frames: [VideoFrame] = [], answer: @escaping @Sendable (SniffedMedia) -> Answer) {
        self.frames = frames
        self.answer = answer
    }

    /// Every picture has one colour and the size that its header says.
    package convenience init(solid colour: (red: UInt8, green: UInt8, blue: UInt8)) {
        self.init { .image(.painted($0.width, $0.height) { _, _ in (colour.red, colour.green, colour.blue) }) }
    }

    package convenience init(refusing refusal: DecodingRefusal) { self.init { _ in .refusal(refusal) } }

    package func picture(_ source: any ByteSource, _ media: SniffedMedia) throws(DecodingRefusal) -> any OpenPicture {
        opened.withLock { $0 += 1 }
        switch answer(media) {
        case .image(let image): return SamplePicture(image)
        case .refusal(let refusal): throw refusal
        }
    }

    package func video(_ source: any ByteSource, _ media: SniffedMedia) throws(DecodingRefusal) -> any OpenVideo {
        opened.withLock { $0 += 1 }
        guard let first = frames.first else {
            throw DecodingRefusal(.unreadable, message: "The media cannot be decoded.", remedy: "Capture the piece again.")
        }
        return SampleVideo(frames, width: first.image.width, height: first.image.height)
    }
}

extension RGBImage {
    package static func painted(_ width: Int, _ height: Int, _ paint: SampleDecoder.Painter) -> RGBImage {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * width * height)
        for y in 0..<height {
            for x in 0..<width {
                let (red, green, blue) = paint(x, y)
                bytes += [red, green, blue]
            }
        }
        return RGBImage(width: width, height: height, bytes: bytes)
    }
}
