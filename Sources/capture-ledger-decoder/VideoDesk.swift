import DecoderProtocol

/// Answers requests about the one video.
struct VideoDesk {
    let channel: Channel

    func serve() throws(ChannelEnded) {
        while true {
            _ = try channel.receive()
            try channel.refuse(Refused(.unreadable, .codec))
        }
    }
}
