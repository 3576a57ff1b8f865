import DecoderProtocol

/// Answers requests about the one picture.
struct PictureDesk {
    let channel: Channel
    /// Descriptor of the sealed file.
    let media: Int32

    private struct Answer: ~Copyable {
        let message: DecoderMessage
        let payload: Picture.Block?

        borrowing func send(on channel: Channel) throws(ChannelEnded) {
            try channel.send(message)
            switch payload {
            case .some(let block): try unsafe channel.send(block.bytes)
            case nil: break
            }
        }
    }

    func serve() throws(ChannelEnded) {
        var opened: OpenedPicture?
        while true {
            let message = try channel.receive()
            let answer: Answer
            do throws(Refused) { answer = try self.answer(message, &opened) } catch {
                try channel.refuse(error)
                continue
            }
            try answer.send(on: channel)
        }
    }

    private func answer(_ message: DecoderMessage, _ opened: inout OpenedPicture?) throws(Refused) -> Answer {
        guard message.payloadCount == 0 else { throw Refused(.unreadable, .request) }
        if message.kind == .openPicture, opened == nil {
            let picture = try OpenedPicture(message, media: media)
            opened = picture
            return Answer(message: DecoderMessage(.opened, [Int64(picture.width), Int64(picture.height)]), payload: nil)
        }
        guard let opened, message.kind == .pixels || message.kind == .jpeg else { throw Refused(.unreadable, .request) }
        let order = try PictureOrder(message, opened)
        let picture = try opened.picture(order)
        let payload = message.kind == .pixels ? try picture.pixels() : try picture.jpeg(quality: order.quality)
        let size = [Int64(picture.width), Int64(picture.height)]
        let count = unsafe payload.bytes.count
        return Answer(message: DecoderMessage(.image, size, payloadCount: count), payload: payload)
    }
}
