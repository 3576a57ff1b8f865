package import CaptureLedger
package import MediaChecks
public import SessionDomain
import Synchronization

/// Says of each capture whether it passes its checks, in place of a decoder, models and a policy: for a host that tests what it makes of
/// a refusal.
///
/// ```swift
/// let test = try await TestLedger(checks: ScriptedChecks([.passportFront: [.failed(.blurryPhoto), .passed]]))
/// ```
public final class ScriptedChecks: Sendable {
    public enum Answer: Sendable, Hashable {
        case passed
        case failed(CaptureFailure)
    }

    private let answers: Mutex<[Piece: [Answer]]>
    private let otherwise: Answer
    private let heard = Mutex<[Piece]>([])

    /// - Parameters:
    ///   - answers: for each piece its answers in the order of its captures.
    ///   - otherwise: the answer when a piece's list is used up.
    public init(_ answers: [Piece: [Answer]] = [:], otherwise: Answer = .passed) {
        self.answers = Mutex(answers)
        self.otherwise = otherwise
    }

    /// Whose captures were looked at, in order.
    public var checked: [Piece] { heard.withLock { $0 } }
}

extension ScriptedChecks: CaptureJudge {
    package func judge(
        _ source: any ByteSource, _ media: SniffedMedia, _ question: CheckQuestion, hologram: HologramSettings
    ) -> Judgement {
        heard.withLock { $0.append(question.piece) }
        let answer = answers.withLock { answers in
            guard var left = answers[question.piece], !left.isEmpty else { return otherwise }
            defer { answers[question.piece] = left }
            return left.removeFirst()
        }
        var report = CheckReport(policyVersion: "scripted")
        if case .failed(let failure) = answer { report.failure = failure }
        return Judgement(report)
    }
}
