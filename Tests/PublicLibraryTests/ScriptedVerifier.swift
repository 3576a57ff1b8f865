import CaptureLedger
import Foundation
import Synchronization

/// Answers as it is told, and remembers what it was asked.
final class ScriptedVerifier: Verifier {
    typealias Script = @Sendable (_ result: CaptureResult, _ flow: CaptureFlow, _ nth: Int) async -> VerificationOutcome

    private let asked = Mutex<[CaptureResult]>([])
    private let script: Script

    init(_ script: @escaping Script = { result, _, _ in .yes(result.piece) }) { self.script = script }

    var calls: [CaptureResult] { asked.withLock { $0 } }

    func verify(_ result: CaptureResult, in flow: CaptureFlow) async -> VerificationOutcome {
        let nth = asked.withLock { asked in
            asked.append(result)
            return asked.count { $0.captureID == result.captureID }
        }
        return await script(result, flow, nth)
    }
}

extension VerificationOutcome {
    static func yes(_ piece: Piece) -> Self { .verified(payload: Payload(json: Data(#"{"piece":"\#(piece.rawValue)"}"#.utf8))) }
}

extension LedgerOptions {
    /// Retries soon, so that a test need not wait.
    static var impatient: LedgerOptions {
        var options = LedgerOptions()
        options.verification.firstPause = .milliseconds(50)
        options.verification.longestPause = .milliseconds(100)
        return options
    }
}
