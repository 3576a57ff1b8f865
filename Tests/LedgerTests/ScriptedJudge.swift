import MediaChecks
import SessionDomain
import Synchronization

@testable import CaptureLedger

/// A judge that answers what the test wrote down, and remembers what it was asked.
final class ScriptedJudge: CaptureJudge {
    enum Answer: Sendable {
        case passed
        case failed(CaptureFailure)
        /// The checks cannot run.
        case fault(CheckFault)
    }

    private let answer: @Sendable (CheckQuestion) -> Answer
    private let heard = Mutex<[CheckQuestion]>([])
    /// Called while the judge looks, with the bytes that it was given.
    let looking: @Sendable ([UInt8]) -> Void

    init(_ answer: @escaping @Sendable (CheckQuestion) -> Answer, looking: @escaping @Sendable ([UInt8]) -> Void = { _ in }) {
        self.answer = answer
        self.looking = looking
    }

    convenience init(_ answer: Answer = .passed) { self.init({ _ in answer }) }

    var questions: [CheckQuestion] { heard.withLock { $0 } }

    static let page = NormalizedRect(x: 0.1, y: 0.2, width: 0.75, height: 0.5)
    static let fields = FieldDetections(photo: NormalizedRect(x: 0.05, y: 0.2, width: 0.3, height: 0.5))
    static let jpeg = Array("a page, as a picture of its own".utf8)

    static let notReady = CheckFault(
        ModelFault(.notReady, message: "There is no runner.", remedy: "Install one."), .passportDetector)
    static let noDecoder = CheckFault(
        DecodingRefusal(.unavailable, message: "There is no decoder.", remedy: "Install it."))
    static let undecodable = CheckFault(
        DecodingRefusal(.crashed, detail: "signal_11", message: "The decoder crashed.", remedy: "Capture again."))

    func judge(
        _ source: any ByteSource, _ media: SniffedMedia, _ question: CheckQuestion, hologram: HologramSettings
    ) -> Judgement {
        heard.withLock { $0.append(question) }
        var bytes = [UInt8](repeating: 0, count: Int(source.size))
        var (offset, chunk) = (0, [UInt8](repeating: 0, count: 40_000))
        while let count = try? source.read(at: Int64(offset), into: &chunk), count > 0 {
            bytes.replaceSubrange(offset..<offset + count, with: chunk[..<count])
            offset += count
        }
        looking(bytes)
        var report = CheckReport(policyVersion: "standard-1")
        report.findings = [
            Finding(
                metric: "blur_score", value: 0.25, passed: true, direction: .atMost, threshold: 0.5, model: "ab",
                policyVersion: "1")
        ]
        switch answer(question) {
        case .passed:
            guard question.piece != .selfie, question.piece != .hologram else { return Judgement(report) }
            (report.page, report.fields) = (Self.page, Self.fields)
            return Judgement(report, crop: RenderedCrop(bytes: Self.jpeg, width: 1_200, height: 850))
        case .failed(let failure):
            report.findings[0].passed = false
            report.failure = failure
            return Judgement(report)
        case .fault(let fault):
            report.findings = []
            report.failure = fault.failure
            return Judgement(report, fault: fault)
        }
    }
}
