/// A request's body except for its media: fixed at the first send and stored, so that one key stands for one sequence of
/// bytes for ever, also across versions of this program.
package struct FrozenBody: Hashable, Sendable {
    package enum MediaForm: UInt8, Sendable {
        case raw = 1
        case base64 = 2
    }

    package let contentType: String
    package let head: [UInt8]
    package let mediaForm: MediaForm
    package let mediaBytes: Int64
    package let mediaSHA256: [UInt8]
    package let tail: [UInt8]

    package init(
        contentType: String, head: [UInt8], mediaForm: MediaForm, mediaBytes: Int64, mediaSHA256: [UInt8], tail: [UInt8]
    ) {
        self.contentType = contentType
        self.head = head
        self.mediaForm = mediaForm
        self.mediaBytes = mediaBytes
        self.mediaSHA256 = mediaSHA256
        self.tail = tail
    }

    /// Exact, before a byte of the media is read.
    package var contentLength: Int64 {
        let media =
            switch mediaForm {
            case .raw: mediaBytes
            case .base64: (mediaBytes + 2) / 3 * 4
            }
        return Int64(head.count) + media + Int64(tail.count)
    }

    /// One blob for the queue to seal. It determines the whole body, so its digest is the body's identity.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = [1, mediaForm.rawValue]
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: mediaBytes >> Int64(shift)))
        }
        for part in [Array(contentType.utf8), mediaSHA256, head, tail] {
            for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: part.count >> shift)) }
            bytes += part
        }
        return bytes
    }

    /// nil unless the bytes are exactly what `encoded` gave.
    package init?(encoded: [UInt8]) {
        guard encoded.count >= 10, encoded[0] == 1, let form = MediaForm(rawValue: encoded[1]) else { return nil }
        let count = encoded[2..<10].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard count >= 0 else { return nil }
        var index = 10
        var parts: [[UInt8]] = []
        while index < encoded.count {
            guard index + 4 <= encoded.count else { return nil }
            let length = encoded[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
            index += 4
            guard length <= encoded.count - index else { return nil }
            parts.append(Array(encoded[index..<index + length]))
            index += length
        }
        guard parts.count == 4 else { return nil }
        self.init(
            contentType: String(decoding: parts[0], as: UTF8.self), head: parts[2], mediaForm: form, mediaBytes: count,
            mediaSHA256: parts[1], tail: parts[3])
    }
}
