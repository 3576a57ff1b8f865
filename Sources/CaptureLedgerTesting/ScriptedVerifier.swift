public import CaptureLedger
import Synchronization

/// A verifier that answers what the test wrote down, and remembers what it was asked.
public final class ScriptedVerifier: Verifier {
    /// One call's answer.
    public enum Answer: Sendable {
        case verified(json: String = "{}")
        case rejected(reason: String)
        case failed(message: String)
        /// Drops these pieces first, then answers.
        indirect case dropping(Set<Piece>, then: Answer)
        /// Does not answer until its task is cancelled, as a verifier that hangs.
        case hangs
    }

    /// What it was asked about, in order.
    public struct Call: Sendable, Hashable {
        public let sessionID: String
        public let piece: Piece
        /// The same one again is a repetition of the same question.
        public let captureID: String
        public let attempt: Int
    }

    private struct State {
        var answers: [Piece: [Answer]]
        var calls: [Call] = []
    }

    private let state: Mutex<State>
    private let otherwise: Answer

    /// - Parameters:
    ///   - answers: for each piece its answers in the order of the calls.
    ///   - otherwise: the answer when a piece's list is used up.
    public init(_ answers: [Piece: [Answer]] = [:], otherwise: Answer = .verified()) {
        state = Mutex(State(answers: answers))
        self.otherwise = otherwise
    }

    public var calls: [Call] { state.withLock { $0.calls } }

    public func verify(_ result: CaptureResult, in flow: CaptureFlow) async -> VerificationOutcome {
        let answer = state.withLock { state in
            state.calls.append(
                Call(
                    sessionID: result.sessionID, piece: result.piece, captureID: result.captureID, attempt: result.attempt))
            guard var left = state.answers[result.piece], !left.isEmpty else { return otherwise }
            let next = left.removeFirst()
            state.answers[result.piece] = left
            return next
        }
        return await give(answer, in: flow)
    }

    private func give(_ answer: Answer, in flow: CaptureFlow) async -> VerificationOutcome {
        switch answer {
        case .verified(let json): return .verified(payload: Payload(json: .init(json.utf8)))
        case .rejected(let reason): return .rejected(reason: reason)
        case .failed(let message): return .failed(message: message)
        case .dropping(let pieces, let next):
            do throws(LedgerError) { try await flow.dropPendingPieces(pieces) } catch {
                return .failed(message: error.message)
            }
            return await give(next, in: flow)
        case .hangs:
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
            return .failed(message: "cancelled")
        }
    }
}
