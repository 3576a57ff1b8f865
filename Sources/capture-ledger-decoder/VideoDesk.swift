import DecoderProtocol

/// Answers requests about the one video.
struct VideoDesk {
    let channel: Channel

    func serve() throws(ChannelEnded) {
        var opened: (stream: VideoStream, rotation: Int)?
        while true {
            let message = try channel.receive()
            let answer: (message: DecoderMessage, pixels: [UInt8])
            do throws(Refused) {
                if message.kind == .openVideo, opened == nil {
                    let (stream, rotation) = try open(message)
                    opened = (stream, rotation)
                    let values = [Int64(stream.width), Int64(stream.height), stream.durationMilliseconds]
                    answer = (DecoderMessage(.opened, values), [])
                } else {
                    guard message.kind == .frame, let opened else { throw Refused(.unreadable, .request) }
                    answer = try frame(message, opened.stream, rotation: opened.rotation)
                }
            } catch {
                try channel.refuse(error)
                continue
            }
            try channel.send(answer.message)
            try channel.send(answer.pixels)
        }
    }

    private func open(_ message: DecoderMessage) throws(Refused) -> (VideoStream, Int) {
        let values = message.values
        guard values[0] > 0, [0, 90, 180, 270].contains(values[3]) else { throw Refused(.unreadable, .request) }
        let stream = try VideoStream(VideoSource(channel, size: values[0]), mostPixels: values[4])
        return (stream, Int(values[3]))
    }

    private func frame(
        _ message: DecoderMessage, _ stream: VideoStream, rotation: Int
    ) throws(Refused) -> (DecoderMessage, [UInt8]) {
        let values = message.values
        guard (1...8192).contains(values[1]), (1...8192).contains(values[2]) else { throw Refused(.unreadable, .request) }
        let size = VideoSize(width: Int(values[1]), height: Int(values[2]), rotation: rotation)
        guard let frame = try stream.frame(atMilliseconds: values[0], size) else { return (DecoderMessage(.end), []) }
        return (
            DecoderMessage(.image, [values[1], values[2], frame.time], payloadCount: frame.pixels.count), frame.pixels
        )
    }
}
