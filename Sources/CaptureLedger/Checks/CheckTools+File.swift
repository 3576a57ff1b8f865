package import MediaChecks
package import SessionDomain
import SystemCalls

/// What the checks say about a file that no ledger holds.
package struct SeenFile: Sendable {
    /// nil for media that is not taken in.
    package let media: SniffedMedia?
    package let judgement: Judgement?
    package let failure: CaptureFailure?
    /// A code.
    package let detail: String?
    /// Why nothing could be said.
    package let obstacle: Obstacle?

    init(_ refusal: MediaRefusal) {
        media = nil
        judgement = nil
        failure = CaptureFailure(rawValue: refusal.code)
        detail = refusal.detail
        obstacle = nil
    }

    init(_ media: SniffedMedia, _ judgement: Judgement) {
        self.media = media
        self.judgement = judgement
        failure = judgement.report.failure
        detail = judgement.fault?.detail
        obstacle = judgement.fault.flatMap { $0.blamesCapture ? nil : Obstacle($0) }
    }
}

extension CheckTools {
    /// Looks at a file as a capture is looked at; keeps nothing.
    ///
    /// - Throws: `no_such_file`, a policy that cannot be read.
    package func look(
        at path: String, _ question: CheckQuestion, hologram: HologramSettings, limits: MediaLimits
    ) throws(LedgerError) -> SeenFile {
        let source = try FileBytes.opening(path)
        let checker = try checker()
        do throws(MediaRefusal) {
            let media = try MediaSniffer.sniff(source, for: question.piece, declaredType: nil, limits: limits)
            return SeenFile(media, checker.judge(source, media, question, hologram: hologram))
        } catch { return SeenFile(error) }
    }

    /// The picture with everything drawn on it that was seen, as a PNG.
    ///
    /// - Parameter longestSide: in pixels.
    package func annotated(
        _ path: String, _ media: SniffedMedia, _ report: CheckReport, longestSide: Int = 1_600
    ) throws(LedgerError) -> [UInt8] {
        let source = try FileBytes.opening(path)
        do throws(DecodingRefusal) {
            let picture = try decoder.picture(source, media)
            defer { picture.close() }
            let pixels = try picture.pixels(nil, .within(longestSide))
            return PNGFile.bytes(of: Annotation.draw(report: report, on: pixels))
        } catch { throw LedgerError(Obstacle(CheckFault(error))) }
    }
}

extension LedgerError {
    package init(_ obstacle: Obstacle) {
        self.init(code: Code(rawValue: obstacle.code), message: obstacle.message, remedy: obstacle.remedy, isRetryable: true)
    }
}
