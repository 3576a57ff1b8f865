package import SessionDomain

/// Turns sniffed media into pixels. The real one is a sandboxed process (`MediaDecoding`); whatever hostile bytes do to it ends as a
/// ``DecodingRefusal`` of this one capture.
package protocol PictureDecoder: Sendable {
    /// Opens a picture, or the first page of a document.
    ///
    /// - Parameter media: what ``MediaSniffer`` said about the same bytes: its limits were looked at already.
    func picture(_ source: any ByteSource, _ media: SniffedMedia) throws(DecodingRefusal) -> any OpenPicture

    /// Opens a video. Memory does not grow with it.
    func video(_ source: any ByteSource, _ media: SniffedMedia) throws(DecodingRefusal) -> any OpenVideo
}

/// A picture that a decoder holds open. Used from one thread at a time.
package protocol OpenPicture: AnyObject {
    /// Upright size in pixels.
    var width: Int { get }
    var height: Int { get }

    /// - Parameter region: in fractions of the upright picture; nil: all of it. Clamped to the picture.
    func pixels(_ region: NormalizedRect?, _ fit: PixelFit) throws(DecodingRefusal) -> RGBImage

    /// The region as a JPEG of its own: upright, without any metadata, its longer side at most `longestSide` pixels.
    func jpeg(_ region: NormalizedRect?, longestSide: Int) throws(DecodingRefusal) -> [UInt8]

    /// Ends the decoder's work on it. Called when the last reference goes at the latest.
    func close()
}

/// A video that a decoder holds open, read from its beginning to its end. Used from one thread at a time.
package protocol OpenVideo: AnyObject {
    /// Upright size in pixels.
    var width: Int { get }
    var height: Int { get }
    /// nil where the file does not say.
    var durationMilliseconds: Int64? { get }

    /// The first frame at or after this time that was not returned yet; nil at the end. Frames between are decoded and dropped.
    func frame(atMilliseconds time: Int64, _ fit: PixelFit) throws(DecodingRefusal) -> VideoFrame?

    func close()
}

package struct VideoFrame: Sendable {
    /// From the beginning of the video.
    package let timeMilliseconds: Int64
    package let image: RGBImage

    package init(timeMilliseconds: Int64, image: RGBImage) {
        self.timeMilliseconds = timeMilliseconds
        self.image = image
    }
}

/// Why there are no pixels.
package struct DecodingRefusal: Error, Sendable, Hashable {
    package enum Cause: String, Sendable, CaseIterable {
        /// The bytes are not what they claim; the capture fails as `media_unreadable`.
        case unreadable
        /// The content ends early; the capture fails as `truncated`.
        case truncated
        /// More pixels than the limits allow; the capture fails as `image_too_large`.
        case tooLarge = "too_large"
        /// The decoder broke its limits of memory, processor or time, or was killed; the capture fails as `media_unreadable`.
        case limits
        /// The decoder crashed; the capture fails as `media_unreadable`.
        case crashed
        /// There is no decoder that works: nothing is said about the capture, which stays unchecked (`scanner_not_ready`).
        case unavailable
    }

    package let cause: Cause
    /// From a fixed vocabulary of ours, never from the file: `jpeg`, `wall_clock`, `signal_9`.
    package let detail: String?
    package let message: String
    package let remedy: String

    package init(_ cause: Cause, detail: String? = nil, message: String, remedy: String) {
        self.cause = cause
        self.detail = detail
        self.message = message
        self.remedy = remedy
    }
}
