package import MediaChecks
package import SessionDomain

/// The pipeline with its decoder, its models and its policy.
package final class Checker: CaptureJudge {
    package let policy: CheckPolicy
    package var rules: CheckPolicy? { policy }
    private let pictures: any PictureDecoder
    private let openModels: @Sendable () -> any ModelSupply
    private let cropSide: Int

    /// - Parameters:
    ///   - cropSide: pixels of a page crop's longer side.
    ///   - openModels: opens a scope of models for one capture; it closes when it is let go of.
    package init(
        pictures: any PictureDecoder, policy: CheckPolicy = .standard, cropSide: Int = CheckSettings().cropSide,
        openModels: @escaping @Sendable () -> any ModelSupply
    ) {
        self.pictures = pictures
        self.policy = policy
        self.cropSide = cropSide
        self.openModels = openModels
    }

    package func judge(
        _ source: any ByteSource, _ media: SniffedMedia, _ question: CheckQuestion, hologram: HologramSettings
    ) -> Judgement {
        do throws(CheckFault) {
            return question.piece == .hologram
                ? try judge(try opened { () throws(DecodingRefusal) in try pictures.video(source, media) }, hologram)
                : try judge(try opened { () throws(DecodingRefusal) in try pictures.picture(source, media) }, question)
        } catch {
            var report = CheckReport(policyVersion: policy.identity)
            report.failure = error.failure
            return Judgement(report, fault: error)
        }
    }

    private func judge(_ picture: any OpenPicture, _ question: CheckQuestion) throws(CheckFault) -> Judgement {
        defer { picture.close() }
        let report = try CheckPipeline(policy: policy, models: openModels()).check(picture, question)
        guard report.failure == nil, let page = report.page else { return Judgement(report) }
        return Judgement(report, crop: try crop(page, of: picture))
    }

    private func judge(_ video: any OpenVideo, _ settings: HologramSettings) throws(CheckFault) -> Judgement {
        defer { video.close() }
        return Judgement(try CheckPipeline(policy: policy, models: openModels()).check(video: video, settings))
    }

    /// The picture as the checks saw it, cut to its page (S53).
    private func crop(_ page: NormalizedRect, of picture: any OpenPicture) throws(CheckFault) -> RenderedCrop? {
        let bytes = try opened { () throws(DecodingRefusal) in try picture.jpeg(page, longestSide: cropSide) }
        guard let size = try? MediaSniffer.sniff(ByteArraySource(bytes), for: .selfie, declaredType: nil) else { return nil }
        return RenderedCrop(bytes: bytes, width: size.width, height: size.height)
    }

    private func opened<Value>(_ body: () throws(DecodingRefusal) -> Value) throws(CheckFault) -> Value {
        do throws(DecodingRefusal) { return try body() } catch { throw CheckFault(error) }
    }
}
