/// A body that can be read from any offset: frozen bytes around media that is opened on the way.
package final class RequestBody {
    package let frozen: FrozenBody
    private let media: any MediaReader

    package init(_ frozen: FrozenBody, media: any MediaReader) {
        self.frozen = frozen
        self.media = media
    }

    package var contentLength: Int64 { frozen.contentLength }

    /// At least one byte and at most `limit` from `offset`; none at the end.
    package func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
        let head = Int64(frozen.head.count)
        if offset < head { return frozen.head[Int(offset)...].prefix(limit) }
        let tailStart = contentLength - Int64(frozen.tail.count)
        if offset >= tailStart {
            return frozen.tail.dropFirst(Int(min(offset - tailStart, Int64(frozen.tail.count)))).prefix(limit)
        }
        switch frozen.mediaForm {
        case .raw:
            let bytes = try media.read(at: offset - head, limit: Int(min(Int64(limit), tailStart - offset)))
            if bytes.isEmpty { throw Self.lengthDiffers }
            return bytes
        case .base64:
            return try readBase64(at: offset - head, limit: limit)
        }
    }

    /// The sealed file holds another number of bytes than its record: nothing of it is sent.
    package static let lengthDiffers = DeliveryFault(
        .mediaUnreadable, message: "The sealed media has another length than its record says.",
        remedy: "Run `capture-ledger audit verify`; the delivery is parked and nothing of it is sent.")
}

extension RequestBody {
    /// Appends bytes from `offset` on: at least one where there is room and the end was not reached. Some room may stay free, so
    /// that media goes on with a whole chunk.
    package func read(at offset: Int64, into output: inout OutputSpan<UInt8>) throws(DeliveryFault) {
        let begin = output.count
        let mediaStart = Int64(frozen.head.count)
        let tailStart = contentLength - Int64(frozen.tail.count)
        if offset < mediaStart {
            for byte in frozen.head[Int(offset)...].prefix(output.freeCapacity) { output.append(byte) }
            // the text of whole chunks fills a buffer from its start
            if frozen.mediaForm == .base64 { return }
        }
        var position = offset + Int64(output.count - begin)
        if position < tailStart, output.freeCapacity > 0 {
            let before = output.count
            try readMedia(at: position - mediaStart, into: &output)
            if output.count == before { throw Self.lengthDiffers }
            position += Int64(output.count - before)
        }
        if position >= tailStart {
            for byte in frozen.tail.dropFirst(Int(position - tailStart)).prefix(output.freeCapacity) { output.append(byte) }
        }
    }

    private func readMedia(at offset: Int64, into output: inout OutputSpan<UInt8>) throws(DeliveryFault) {
        if media.byteCount > frozen.mediaBytes { throw Self.lengthDiffers }
        switch frozen.mediaForm {
        case .raw: try media.read(at: offset, into: &output)
        case .base64 where offset % 4 == 0 && output.freeCapacity >= 4: try media.readBase64(at: offset / 4 * 3, into: &output)
        case .base64: for unit in try readBase64(at: offset, limit: output.freeCapacity) { output.append(unit) }
        }
    }

    /// Every group of four characters stands for three bytes, so an offset in the text names an offset in the media.
    private func readBase64(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
        let firstGroup = offset / 4
        let skip = Int(offset % 4)
        let groups = max(1, min(limit + skip, 64 << 10) / 4)
        let wanted = Int(min(Int64(groups) * 3, frozen.mediaBytes - firstGroup * 3))
        return Base64Text.of(try media.whole(at: firstGroup * 3, count: wanted)).dropFirst(skip).prefix(limit)
    }
}
