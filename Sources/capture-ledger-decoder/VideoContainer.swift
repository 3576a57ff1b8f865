import CAV
import DecoderProtocol

/// The container of the video: MP4 or QuickTime, and no other. Nothing that it refers to is followed.
@safe final class VideoContainer {
    private let source: VideoSource
    private var format: UnsafeMutablePointer<AVFormatContext>?
    private var input: UnsafeMutablePointer<AVIOContext>?
    private var packet = unsafe av_packet_alloc()
    let stream: UnsafeMutablePointer<AVStream>

    init(_ source: VideoSource) throws(Refused) {
        self.source = source
        guard let buffer = unsafe av_malloc(DecoderMessage.chunkSize),
            let input = unsafe avio_alloc_context(
                buffer.assumingMemoryBound(to: UInt8.self), Int32(DecoderMessage.chunkSize), 0, source.opaque,
                VideoSource.read, nil, VideoSource.seek),
            let format = unsafe avformat_alloc_context()
        else { throw Refused(.limits, .memory) }
        unsafe self.input = unsafe input
        unsafe format.pointee.pb = unsafe input
        unsafe format.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        unsafe format.pointee.max_streams = 16
        unsafe self.format = unsafe format
        var options: OpaquePointer?
        defer { unsafe av_dict_free(&options) }
        unsafe av_dict_set(&options, "format_whitelist", "mov,mp4,m4a,3gp,3g2,mj2", 0)
        unsafe av_dict_set(&options, "protocol_whitelist", "none", 0)
        unsafe av_dict_set(&options, "enable_drefs", "0", 0)
        let code = unsafe avformat_open_input(&self.format, "", av_find_input_format("mov"), &options)
        guard code >= 0, let opened = unsafe self.format else {
            throw code == cav_no_memory() ? Refused(.limits, .memory) : Refused(.unreadable, .header)
        }
        let index = unsafe av_find_best_stream(opened, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        guard index >= 0 else { throw Refused(.unreadable, .header) }
        for other in 0..<Int32(unsafe opened.pointee.nb_streams) where other != index {
            unsafe cav_stream(opened, other).pointee.discard = AVDISCARD_ALL
        }
        unsafe stream = unsafe cav_stream(opened, index)
    }

    deinit {
        unsafe av_packet_free(&packet)
        unsafe avformat_close_input(&format)
        if unsafe input != nil {
            unsafe av_freep(&input!.pointee.buffer)
            unsafe avio_context_free(&input)
        }
    }

    var durationMilliseconds: Int64 { unsafe format == nil ? -1 : cav_duration_milliseconds(format) }

    /// Hands the next packet of the stream on; false at the end, or where the file stops making sense.
    func next(_ take: (UnsafeMutablePointer<AVPacket>) throws(Refused) -> Void) throws(Refused) -> Bool {
        guard let packet = unsafe packet else { throw Refused(.limits, .memory) }
        while unsafe av_read_frame(format, packet) >= 0 {
            defer { unsafe av_packet_unref(packet) }
            guard unsafe packet.pointee.stream_index == stream.pointee.index else { continue }
            try unsafe take(packet)
            return true
        }
        return false
    }
}
