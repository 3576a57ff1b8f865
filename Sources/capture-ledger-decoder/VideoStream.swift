import CAV
import DecoderProtocol

/// The frames of the video, in the order in which they are shown.
@safe final class VideoStream {
    private let container: VideoContainer
    private var codec: UnsafeMutablePointer<AVCodecContext>?
    private var frame = unsafe av_frame_alloc()
    private var scaler = VideoScaler()
    private var isDrained = false
    private var hasFrames = false
    let width: Int
    let height: Int

    var durationMilliseconds: Int64 { container.durationMilliseconds }

    init(_ source: VideoSource, mostPixels: Int64) throws(Refused) {
        container = try VideoContainer(source)
        let parameters = unsafe container.stream.pointee.codecpar!
        let known = unsafe [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1].contains(
            parameters.pointee.codec_id)
        guard known, let decoder = unsafe avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw Refused(.unreadable, .codec)
        }
        width = unsafe Int(parameters.pointee.width)
        height = unsafe Int(parameters.pointee.height)
        guard width > 0, height > 0 else { throw Refused(.unreadable, .header) }
        guard Int64(width) * Int64(height) <= mostPixels else { throw Refused(.tooLarge, .size) }
        guard let codec = unsafe avcodec_alloc_context3(decoder) else { throw Refused(.limits, .memory) }
        unsafe self.codec = unsafe codec
        guard unsafe avcodec_parameters_to_context(codec, parameters) >= 0 else { throw Refused(.unreadable, .codec) }
        unsafe codec.pointee.thread_count = 1
        unsafe codec.pointee.max_pixels = mostPixels
        unsafe codec.pointee.pkt_timebase = unsafe container.stream.pointee.time_base
        guard unsafe avcodec_open2(codec, decoder, nil) >= 0 else { throw Refused(.unreadable, .codec) }
    }

    deinit {
        unsafe av_frame_free(&frame)
        unsafe avcodec_free_context(&codec)
    }

    /// The next frame at or after a time, scaled; nil at the end.
    func frame(atMilliseconds time: Int64, _ size: VideoSize) throws(Refused) -> (time: Int64, pixels: [UInt8])? {
        while let shown = try next() {
            guard shown >= time, let frame = unsafe frame else { continue }
            return (shown, try unsafe scaler.pixels(of: frame, size))
        }
        // A video without a single frame is not one that ended.
        if !hasFrames { throw Refused(.unreadable, .content) }
        return nil
    }

    /// Decodes one frame and says when it is shown.
    private func next() throws(Refused) -> Int64? {
        while true {
            let code = unsafe avcodec_receive_frame(codec, frame)
            if code >= 0 { return time() }
            if code == cav_end() { return nil }
            if code == cav_no_memory() { throw Refused(.limits, .memory) }
            guard code == cav_again() else { continue }
            guard !isDrained else { return nil }
            let hasMore = try unsafe container.next { packet throws(Refused) in
                // A packet that does not decode is left out; what came of the others is seen.
                if unsafe avcodec_send_packet(codec, packet) == cav_no_memory() { throw Refused(.limits, .memory) }
            }
            if !hasMore {
                isDrained = true
                unsafe avcodec_send_packet(codec, nil)
            }
        }
    }

    private func time() -> Int64 {
        hasFrames = true
        let stream = unsafe container.stream
        let stamp = unsafe frame!.pointee.best_effort_timestamp
        if stamp == cav_no_time() { return 0 }
        let start = unsafe stream.pointee.start_time
        // both are the file's, and may be anything
        let (shown, isOver) = stamp.subtractingReportingOverflow(start == cav_no_time() ? 0 : start)
        return isOver ? 0 : unsafe max(0, cav_milliseconds(shown, stream.pointee.time_base))
    }
}
