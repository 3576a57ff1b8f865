/// How much a single piece of media may claim. All limits are looked at before anything is decoded.
package struct MediaLimits: Sendable, Equatable {
    /// Largest picture or document file, in bytes.
    package var maxImageBytes: Int64
    /// Largest video file, in bytes.
    package var maxVideoBytes: Int64
    /// Largest number of pixels of one picture or video frame.
    package var maxPixels: Int64
    /// Longest side of a picture or a video frame, in pixels.
    package var maxDimension: Int

    package init(
        maxImageBytes: Int64 = 64 << 20, maxVideoBytes: Int64 = 4 << 30, maxPixels: Int64 = 100_000_000,
        maxDimension: Int = 30_000
    ) {
        self.maxImageBytes = maxImageBytes
        self.maxVideoBytes = maxVideoBytes
        self.maxPixels = maxPixels
        self.maxDimension = maxDimension
    }

    package static let standard = MediaLimits()
}
