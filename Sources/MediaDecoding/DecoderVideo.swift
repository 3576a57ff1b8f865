import DecoderProtocol
import MediaChecks
import SystemCalls

/// A video that a decoder reads, chunk by chunk, through this process.
final class DecoderVideo: OpenVideo {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var durationMilliseconds: Int64?
    private let process: DecoderProcess
    private let limits: DecodingLimits
    private let source: any ByteSource
    private let media: SniffedMedia
    private var buffer: [UInt8] = []
    private var atClose: (() -> Void)?

    init(_ process: DecoderProcess, _ source: any ByteSource, _ media: SniffedMedia, _ limits: DecodingLimits) {
        self.process = process
        self.source = source
        self.media = media
        self.limits = limits
    }

    deinit { close() }

    func whenClosed(_ action: @escaping () -> Void) { atClose = action }

    func close() {
        process.close()
        atClose?()
        atClose = nil
    }

    /// Nothing that the decoder says is later than this: about 35 years in milliseconds.
    private static let longest: Int64 = 1 << 40

    private var rotation: Int { media.rotation ?? 0 }
    private var isSideways: Bool { rotation == 90 || rotation == 270 }

    func open() throws(DecodingRefusal) {
        let deadline = deadline(limits.videoMilliseconds)
        let message = DecoderMessage(
            .openVideo,
            [media.bytes, Int64(media.storedWidth), Int64(media.storedHeight), Int64(rotation), limits.maxPixels])
        try process.send(message, deadline: deadline)
        let answer = try self.answer(deadline)
        let (stored, other) = (answer.values[0], answer.values[1])
        guard answer.kind == .opened, answer.payloadCount == 0, (1...100_000).contains(stored), (1...100_000).contains(other),
            stored * other <= limits.maxPixels
        else { throw process.garbage() }
        width = Int(isSideways ? other : stored)
        height = Int(isSideways ? stored : other)
        let duration = answer.values[2]
        durationMilliseconds = (0...Self.longest).contains(duration) ? duration : media.durationMilliseconds
    }

    func frame(atMilliseconds time: Int64, _ fit: PixelFit) throws(DecodingRefusal) -> VideoFrame? {
        let deadline = deadline(limits.videoMilliseconds)
        let size = fit.size(of: width, height)
        guard (1...8192).contains(size.width), (1...8192).contains(size.height),
            size.width * size.height <= limits.maxOutputPixels
        else { throw .limits("output_size") }
        try process.send(
            DecoderMessage(.frame, [time, Int64(size.width), Int64(size.height)]), deadline: deadline)
        let answer = try self.answer(deadline)
        if answer.kind == .end, answer.payloadCount == 0 { return nil }
        let count = 3 * size.width * size.height
        guard answer.kind == .image, answer.values[0] == Int64(size.width), answer.values[1] == Int64(size.height),
            answer.payloadCount == count, (time...max(time, Self.longest)).contains(answer.values[2])
        else { throw process.garbage() }
        let bytes = try process.receive(count: count, deadline: deadline)
        return VideoFrame(
            timeMilliseconds: answer.values[2],
            image: fit.finish(bytes, width: size.width, height: size.height, of: (width, height)))
    }

    /// Hands out the bytes that it wants until it answers.
    private func answer(_ deadline: Int64) throws(DecodingRefusal) -> DecoderMessage {
        while true {
            let message = try process.receive(deadline: deadline)
            guard message.kind == .wanted else { return message }
            let (offset, count) = (message.values[0], message.values[1])
            guard message.payloadCount == 0, (0...media.bytes).contains(offset),
                (1...Int64(DecoderMessage.chunkSize)).contains(count)
            else { throw process.garbage() }
            let bytes = try read(at: offset, Int(min(count, media.bytes - offset)))
            try process.send(DecoderMessage(.bytes, payloadCount: bytes.count), bytes, deadline: deadline)
        }
    }

    private func read(at offset: Int64, _ count: Int) throws(DecodingRefusal) -> [UInt8] {
        if count == 0 { return [] }
        if buffer.count != count { buffer = [UInt8](repeating: 0, count: count) }
        do throws(MediaReadFailure) {
            var filled = try source.read(at: offset, into: &buffer)
            while filled < count {
                var rest = [UInt8](repeating: 0, count: count - filled)
                let more = try source.read(at: offset + Int64(filled), into: &rest)
                // shorter than it was when it was opened: that is no end of the video
                guard more > 0 else { throw MediaReadFailure() }
                buffer.replaceSubrange(filled..<filled + more, with: rest.prefix(more))
                filled += more
            }
            return buffer
        } catch { throw .unavailable("media") }
    }
}
