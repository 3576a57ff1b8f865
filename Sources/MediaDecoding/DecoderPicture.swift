import DecoderProtocol
import MediaChecks
import SessionDomain

/// A picture that a decoder holds.
final class DecoderPicture: OpenPicture {
    private(set) var width: Int
    private(set) var height: Int
    private let process: DecoderProcess
    private let limits: DecodingLimits
    private let type: MediaType
    /// How the decoder's pixels are to be turned; HEIC and documents come upright.
    private let orientation: Int
    private var atClose: (() -> Void)?

    init(_ process: DecoderProcess, _ media: SniffedMedia, _ limits: DecodingLimits) {
        self.process = process
        self.limits = limits
        type = media.type
        orientation = media.type == .heic || media.type == .pdf ? 1 : media.orientation
        width = media.width
        height = media.height
    }

    deinit { close() }

    func whenClosed(_ action: @escaping () -> Void) { atClose = action }

    func close() {
        process.close()
        atClose?()
        atClose = nil
    }

    /// Hands the bytes over and has the header read.
    func open(_ source: any ByteSource, _ media: SniffedMedia) throws(DecodingRefusal) {
        let format = try format(media.type)
        let deadline = deadline(limits.pictureMilliseconds)
        let count = try fill(source, media)
        let message = DecoderMessage(
            .openPicture,
            [
                format.rawValue, count, Int64(media.storedWidth), Int64(media.storedHeight),
                Int64(media.orientation), media.type == .pdf ? limits.maxDocumentPixels * 2 : limits.maxPixels,
                Int64(dotsAnInch(media)),
            ])
        try process.send(message, deadline: deadline)
        let answer = try process.receive(deadline: deadline)
        let (stored, other) = (answer.values[0], answer.values[1])
        guard answer.kind == .opened, answer.payloadCount == 0, (1...100_000).contains(stored), (1...100_000).contains(other),
            stored * other <= limits.maxPixels
        else { throw process.garbage() }
        width = Int(orientation >= 5 ? other : stored)
        height = Int(orientation >= 5 ? stored : other)
    }

    func pixels(_ region: NormalizedRect?, _ fit: PixelFit) throws(DecodingRefusal) -> RGBImage {
        let area = PixelArea(region, width: width, height: height)
        let size = fit.size(of: area.width, area.height)
        let count = 3 * size.width * size.height
        let deadline = deadline(limits.pictureMilliseconds)
        try order(.pixels, area, size, quality: 0, deadline)
        let answer = try image(size, deadline)
        guard answer.payloadCount == count else { throw process.garbage() }
        let bytes = try process.receive(count: count, deadline: deadline)
        return fit.finish(bytes, width: size.width, height: size.height, of: (area.width, area.height))
    }

    func jpeg(_ region: NormalizedRect?, longestSide: Int) throws(DecodingRefusal) -> [UInt8] {
        let area = PixelArea(region, width: width, height: height)
        let size = PixelFit.within(max(1, longestSide), area.width, area.height)
        let deadline = deadline(limits.pictureMilliseconds)
        try order(.jpeg, area, size, quality: 92, deadline)
        let answer = try image(size, deadline)
        // Coefficients take no more room than pixels do, but for a picture of a few.
        guard (4...3 * size.width * size.height + 65_536).contains(answer.payloadCount) else { throw process.garbage() }
        let bytes = try process.receive(count: answer.payloadCount, deadline: deadline)
        guard bytes.starts(with: [0xFF, 0xD8]) else { throw process.garbage() }
        return bytes
    }
}

extension DecoderPicture {
    private func order(
        _ kind: DecoderMessage.Kind, _ area: PixelArea, _ size: (width: Int, height: Int), quality: Int64, _ deadline: Int64
    ) throws(DecodingRefusal) {
        let area = area.stored(orientation: orientation, width: width, height: height)
        guard (1...32_767).contains(size.width), (1...32_767).contains(size.height),
            size.width * size.height <= limits.maxOutputPixels
        else { throw .limits("output_size") }
        let target = orientation >= 5 ? (size.height, size.width) : (size.width, size.height)
        let numbers = [area.x, area.y, area.width, area.height, target.0, target.1].map(Int64.init)
        try process.send(DecoderMessage(kind, numbers + [quality]), deadline: deadline)
    }

    private func image(_ size: (width: Int, height: Int), _ deadline: Int64) throws(DecodingRefusal) -> DecoderMessage {
        let answer = try process.receive(deadline: deadline)
        guard answer.kind == .image, answer.values[0] == Int64(size.width), answer.values[1] == Int64(size.height) else {
            throw process.garbage()
        }
        return answer
    }

    private func format(_ type: MediaType) throws(DecodingRefusal) -> DecoderMessage.Format {
        switch type {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webp
        case .heic: .heic
        case .pdf: .pdf
        case .mp4, .mov: throw .unreadable("format")
        }
    }

    /// Documents are measured in points, 72 an inch.
    private func dotsAnInch(_ media: SniffedMedia) -> Int {
        guard media.type == .pdf else { return 72 }
        var dots = limits.dotsAnInch
        func pixels() -> Int64 { Int64(media.width * dots / 72 + 1) * Int64(media.height * dots / 72 + 1) }
        while dots > 1, pixels() > limits.maxDocumentPixels { dots = dots * 9 / 10 }
        return dots
    }

    /// Copies the media chunk by chunk; returns how many bytes there are now.
    private func fill(_ source: any ByteSource, _ media: SniffedMedia) throws(DecodingRefusal) -> Int64 {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var offset: Int64 = 0
        while true {
            let count = try read(source, at: offset, into: &buffer)
            if count == 0 { break }
            try process.append(buffer.span.extracting(0..<count))
            offset += Int64(count)
        }
        // What is longer or shorter than it was is no longer what was sniffed.
        guard offset == media.bytes else { throw .unavailable("media") }
        // The picture is complete without its end marker, and libjpeg cannot know.
        if media.has(.missingEndMarker) {
            try process.append([0xFF, 0xD9].span)
            offset += 2
        }
        try process.seal()
        return offset
    }

    private func read(_ source: any ByteSource, at offset: Int64, into buffer: inout [UInt8]) throws(DecodingRefusal) -> Int {
        guard offset <= source.size else { throw .unavailable("media") }
        do throws(MediaReadFailure) { return try source.read(at: offset, into: &buffer) } catch { throw .unavailable("media") }
    }
}
