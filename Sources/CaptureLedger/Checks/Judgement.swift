package import MediaChecks
package import SessionDomain

/// What was said about one piece of media.
package struct Judgement: Sendable {
    package var report: CheckReport
    /// Why nothing, or nothing but this, could be said.
    package var fault: CheckFault?
    /// The page of a picture that passed.
    package var crop: RenderedCrop?

    package init(_ report: CheckReport, fault: CheckFault? = nil, crop: RenderedCrop? = nil) {
        self.report = report
        self.fault = fault
        self.crop = crop
    }
}

/// A JPEG without metadata.
package struct RenderedCrop: Sendable, Hashable {
    package let bytes: [UInt8]
    /// In pixels.
    package let width: Int
    package let height: Int

    package init(bytes: [UInt8], width: Int, height: Int) {
        self.bytes = bytes
        self.width = width
        self.height = height
    }
}

/// Looks at media and says what is wrong with it; it keeps nothing and writes nothing. Used from many threads at once.
package protocol CaptureJudge: Sendable {
    /// The rules it judges by, for the record; nil where they have no text.
    var rules: CheckPolicy? { get }
    /// - Parameters:
    ///   - media: what ``MediaSniffer`` says about the same bytes.
    ///   - hologram: what the session asks of a hologram's video.
    func judge(
        _ source: any ByteSource, _ media: SniffedMedia, _ question: CheckQuestion, hologram: HologramSettings
    ) -> Judgement
}

extension CaptureJudge {
    package var rules: CheckPolicy? { nil }
}
