/// One message between the decoder's process and its client, in both directions: a head of fixed size, then ``payloadCount`` bytes.
/// Numbers are little-endian. The client believes no number in it; see `MediaDecoding`.
package struct DecoderMessage: Sendable, Hashable {
    package enum Kind: UInt32, Sendable, CaseIterable {
        // to the decoder
        /// Values: format, bytes in the memory file, stored width, stored height, orientation, most pixels, dots an inch.
        case openPicture = 1
        /// Values: region x, y, width, height in stored pixels, target width, target height as stored. Answer: ``image``.
        case pixels = 2
        /// As ``pixels``, with the quality behind. Answer: ``image`` with a JPEG.
        case jpeg = 3
        /// Values: length in bytes, stored width, stored height, clockwise degrees, most pixels.
        case openVideo = 4
        /// Values: milliseconds, target width, target height (upright). Answer: ``image`` with the time, or ``end``.
        case frame = 5
        /// Answers ``wanted``; fewer bytes than wanted only at the end of the video.
        case bytes = 6

        // from the decoder
        /// It has locked itself down. Values: version of this protocol, version of Landlock (0: none).
        case ready = 16
        /// Values: stored width and height; of a video also its length in milliseconds, or -1.
        case opened = 17
        /// Values: width, height; of a frame also its time in milliseconds.
        case image = 18
        case end = 19
        /// Values: ``Refusal`` and ``Part``.
        case refused = 20
        /// Bytes of the video. Values: offset, count.
        case wanted = 21
    }

    /// Why the decoder gives nothing.
    package enum Refusal: Int64, Sendable {
        case unreadable = 1
        case truncated = 2
        case tooLarge = 3
        case limits = 4
    }

    /// Where it stopped; the vocabulary of the refusal's detail.
    package enum Part: Int64, Sendable {
        case header = 1
        case content = 2
        case size = 3
        case colour = 4
        case codec = 5
        case memory = 6
        case request = 7
    }

    package enum Format: Int64, Sendable {
        case jpeg = 1
        case png = 2
        case webp = 3
        case heic = 4
        case pdf = 5
    }

    package static let version: Int64 = 1
    package static let headSize = 80
    package static let valueCount = 8
    /// Most bytes of a video that are asked for at once.
    package static let chunkSize = 65_536

    package let kind: Kind
    /// Exactly ``valueCount``; what a kind does not name is 0.
    package let values: [Int64]
    package let payloadCount: Int

    package init(_ kind: Kind, _ values: [Int64] = [], payloadCount: Int = 0) {
        precondition(values.count <= Self.valueCount, "a message has eight values")
        self.kind = kind
        self.values = values + [Int64](repeating: 0, count: Self.valueCount - values.count)
        self.payloadCount = payloadCount
    }
}
