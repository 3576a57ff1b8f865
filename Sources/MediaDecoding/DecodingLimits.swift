/// How long and how much one decoder may take. Its memory and its processor time it limits itself, before it reads anything.
package struct DecodingLimits: Sendable, Hashable {
    /// For one request about a picture.
    package var pictureMilliseconds: Int64
    /// For opening a video, and for each frame of it with those before it that are dropped.
    package var videoMilliseconds: Int64
    /// Until a started decoder is ready.
    package var startMilliseconds: Int64
    /// Of the stored picture or of a frame.
    package var maxPixels: Int64
    /// That are handed out at once.
    package var maxOutputPixels: Int
    /// Documents are rendered in this many dots an inch, or fewer where the page would have more than ``maxDocumentPixels``.
    package var dotsAnInch: Int
    package var maxDocumentPixels: Int64
    /// Decoders that work at the same time; more wait.
    package var processes: Int

    package init(
        pictureMilliseconds: Int64 = 10_000, videoMilliseconds: Int64 = 10_000, startMilliseconds: Int64 = 10_000,
        maxPixels: Int64 = 100_000_000, maxOutputPixels: Int = 40_000_000, dotsAnInch: Int = 200,
        maxDocumentPixels: Int64 = 20_000_000, processes: Int = 8
    ) {
        self.pictureMilliseconds = pictureMilliseconds
        self.videoMilliseconds = videoMilliseconds
        self.startMilliseconds = startMilliseconds
        self.maxPixels = maxPixels
        self.maxOutputPixels = maxOutputPixels
        self.dotsAnInch = dotsAnInch
        self.maxDocumentPixels = maxDocumentPixels
        self.processes = processes
    }

    package static let standard = DecodingLimits()
}
