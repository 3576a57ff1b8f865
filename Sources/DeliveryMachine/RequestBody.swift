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
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// RFC 4648, with padding, no line breaks. Every group of four characters stands for three bytes, so an offset in the
    /// text names an offset in the media.
    private func readBase64(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
        let firstGroup = offset / 4
        let skip = Int(offset % 4)
        let groups = max(1, min(limit + skip, 64 << 10) / 4)
        let wanted = Int(min(Int64(groups) * 3, frozen.mediaBytes - firstGroup * 3))
        let bytes = try gather(at: firstGroup * 3, count: wanted)
        var text: [UInt8] = []
        text.reserveCapacity((wanted + 2) / 3 * 4)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let left = bytes.endIndex - index
            let first = bytes[index]
            let second = left > 1 ? bytes[index + 1] : 0
            let third = left > 2 ? bytes[index + 2] : 0
            text.append(Self.alphabet[Int(first >> 2)])
            text.append(Self.alphabet[Int((first & 3) << 4 | second >> 4)])
            text.append(left > 1 ? Self.alphabet[Int((second & 15) << 2 | third >> 6)] : UInt8(ascii: "="))
            text.append(left > 2 ? Self.alphabet[Int(third & 63)] : UInt8(ascii: "="))
            index += 3
        }
        return text.dropFirst(skip).prefix(limit)
    }

    private func gather(at offset: Int64, count: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
        var bytes = try media.read(at: offset, limit: count)
        while bytes.count < count {
            let more = try media.read(at: offset + Int64(bytes.count), limit: count - bytes.count)
            if more.isEmpty { throw Self.lengthDiffers }
            bytes += more
        }
        return bytes
    }
}
