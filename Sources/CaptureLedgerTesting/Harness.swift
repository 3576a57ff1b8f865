public import CaptureLedger
public import FoundationEssentials
import Synchronization

/// Plays a whole session without a camera, a screen or a network (S28): the steps a user takes, restarts of the process between them,
/// and what the host was told.
///
/// ```swift
/// let harness = try await Harness(.init(pieces: [.passportFront, .selfie], flowTitle: "Check in"), verifier: ScriptedVerifier())
/// let state = try await harness.play([.take(.passportFront), .restart, .take(.selfie), .until(.finished)])
/// ```
public final class Harness: Sendable {
    /// One thing that happens.
    public enum Step: Sendable {
        /// Captures a sample and confirms it.
        case take(Piece)
        /// Captures this file, or a sample, and leaves it to review.
        case capture(Piece, file: URL? = nil, source: CaptureSource = .camera)
        case confirm(Piece)
        case retake(Piece)
        case drop(Set<Piece>)
        case exit
        /// Lets time pass on the virtual clock.
        case pass(Duration)
        /// The process ends and begins again; the flow is made anew with the same client key.
        case restart
        /// Waits until the flow is in this phase.
        case until(FlowState.Phase)
    }

    /// What the host was told, in order.
    public enum Told: Sendable, Hashable {
        case nothingLeftToCapture
        case completed([Piece])
        case exited
    }

    /// A step that did not go as written.
    public struct Unexpected: Error, CustomStringConvertible {
        public let description: String
    }

    public let test: TestLedger
    public let configuration: CaptureConfiguration
    private let verifier: (any Verifier)?
    private let clientKey = "harness"
    private let current: Mutex<CaptureFlow?> = Mutex(nil)
    private let heard = Mutex<[Told]>([])

    /// - Parameters:
    ///   - configuration: one that says nothing about checks has them off, since a sample shows nothing.
    ///   - verifier: nil: the endpoints of the ledger's settings decide.
    ///   - test: a ledger of its own when nil.
    public init(
        _ configuration: CaptureConfiguration, verifier: (any Verifier)? = ScriptedVerifier(), in test: TestLedger? = nil
    ) async throws(LedgerError) {
        var configuration = configuration
        if configuration.checks == nil { configuration.checks = .off }
        self.configuration = configuration
        self.verifier = verifier
        if let test { self.test = test } else { self.test = try await TestLedger() }
        try await begin()
    }

    /// The flow that is played now: another one after a restart.
    public var flow: CaptureFlow {
        guard let flow = current.withLock({ $0 }) else { preconditionFailure("a harness begins its flow in its initialiser") }
        return flow
    }

    public var told: [Told] { heard.withLock { $0 } }

    /// Plays the steps in order and returns the state after the last.
    @discardableResult
    public func play(_ steps: [Step]) async throws -> FlowState {
        for step in steps { try await play(step) }
        return try await flow.state()
    }

    private func play(_ step: Step) async throws {
        switch step {
        case .take(let piece):
            try await capture(piece, nil, .camera)
            try await flow.confirm(piece)
        case .capture(let piece, let file, let source): try await capture(piece, file, source)
        case .confirm(let piece): try await flow.confirm(piece)
        case .retake(let piece): try await flow.retake(piece)
        case .drop(let pieces): try await flow.dropPendingPieces(pieces)
        case .exit: try await flow.exit()
        case .pass(let duration): test.clock.advance(by: duration)
        case .restart:
            try await test.restart()
            try await begin()
        case .until(let phase): try await wait(for: phase)
        }
    }

    private func capture(_ piece: Piece, _ file: URL?, _ source: CaptureSource) async throws {
        let media = if let file { file } else { try test.sample(for: piece) }
        let receipt = try await flow.capture(piece, file: media, source: source, consumingFile: file == nil)
        if case .refused(let failure) = receipt.outcome {
            throw Unexpected(description: "The capture of \(piece.rawValue) was refused: \(failure.rawValue).")
        }
    }

    private func wait(for phase: FlowState.Phase) async throws {
        var last = try await flow.state()
        if last.phase == phase { return }
        for await state in flow.states {
            if state.phase == phase { return }
            last = state
        }
        throw Unexpected(description: "The flow ended as \(last.phase.rawValue) and never became \(phase.rawValue).")
    }

    private func begin() async throws(LedgerError) {
        let callbacks = CaptureCallbacks(
            onComplete: { [weak self] results, _ in
                self?.hear(.completed(Piece.allCases.filter { results[$0] != nil }))
            }, onExit: { [weak self] in self?.hear(.exited) },
            onNothingLeftToCapture: { [weak self] in self?.hear(.nothingLeftToCapture) })
        let flow = try await CaptureFactory.makeFlow(
            in: test.ledger, configuration: configuration, clientKey: clientKey, verifier: verifier, callbacks: callbacks)
        current.withLock { $0 = flow }
    }

    private func hear(_ told: Told) { heard.withLock { $0.append(told) } }
}
