import CaptureLedger
import DeliveryMachine
import SessionDomain

/// One made-up user on the way through a session. What comes of each step the domain itself decides.
struct MadeSession {
    /// How it goes, drawn when it begins.
    private enum Fate { case completes, exits, isCancelled, expires, staysOpen }

    /// A request of a delivery, to be put into the delivery log before the events that it led to.
    struct Request {
        let piece: Piece
        let isAnswered: Bool
    }

    let id: SessionID
    let number: Int64
    var state = SessionState.initial
    /// Where its pieces were confirmed: the numbers of their deliveries.
    var confirmedAt = [Int64](repeating: 0, count: Piece.allCases.count)
    private let configuration: CaptureConfiguration
    private let fate: Fate
    private var stepsLeft: Int
    private var hasMadeTrouble = false

    init(id: SessionID, number: Int64, configuration: CaptureConfiguration, random: inout SeededGenerator) {
        self.id = id
        self.number = number
        self.configuration = configuration
        let (draw, steps) = (Int.random(in: 0..<100, using: &random), Int.random(in: 1...5, using: &random))
        (fate, stepsLeft) =
            switch draw {
            case 0..<72: (.completes, .max)
            case 72..<86: (.exits, steps)
            case 86..<89: (.isCancelled, steps)
            case 89..<95: (.expires, min(2, steps))
            default: (.staysOpen, steps)
            }
    }

    /// The next command; nil when nothing more will happen.
    mutating func next(now: Int64, random: inout SeededGenerator) -> (command: SessionCommand, request: Request?)? {
        guard state.status != .none else {
            let transaction = configuration.pieces.contains(.hologram) ? digest(&random) : nil
            return (.start(StartSession(configuration: configuration, transaction: transaction, secret: nil)), nil)
        }
        guard state.status.isOpen else { return nil }
        if stepsLeft == 0 {
            switch fate {
            case .exits: return (.exit(secret: nil), nil)
            case .isCancelled: return (.cancel(secret: nil), nil)
            case .expires where !state.hasConfirmedWaiting: return (.expire, nil)
            default: return nil
            }
        }
        stepsLeft -= 1
        return step(&random)
    }

    private mutating func step(_ random: inout SeededGenerator) -> (command: SessionCommand, request: Request?)? {
        let waiting = state.order.filter { state.pieces[$0].status == .awaitingVerification && !state.unchecked.contains($0) }
        if let piece = waiting.first, state.currentPiece == nil || Int.random(in: 0..<3, using: &random) == 0 {
            return answer(piece, &random)
        }
        for piece in state.order {
            let slot = state.pieces[piece]
            switch slot.status {
            case .captured: return review(piece, slot, &random)
            case .parked:
                return (
                    .requeueDelivery(
                        RequeueDelivery(
                            deliveryID: delivery(piece), piece: piece, captureID: slot.captureID ?? CaptureID(fresh(&random)),
                            destination: slot.destination ?? "")), nil
                )
            case let status where status.needsCapture && state.currentPiece == piece: return capture(piece, &random)
            default: continue
            }
        }
        return waiting.first.map { answer($0, &random) }
    }

    private mutating func capture(
        _ piece: Piece, _ random: inout SeededGenerator
    ) -> (command: SessionCommand, request: Request?) {
        if piece == .hologram {
            if !state.hologram.isRecording { return (.startHologramRecording, nil) }
            // a recording is guided until the draw says that it is done
            if Int.random(in: 0..<3, using: &random) > 0 { return (.observe(observations(&random)), nil) }
        }
        if !hasMadeTrouble, Int.random(in: 0..<40, using: &random) == 0 {
            hasMadeTrouble = true
            let failure: CaptureFailure = Bool.random(using: &random) ? .truncated : .unsupportedFormat
            return (
                .refuseCapture(
                    RefuseCapture(
                        piece: piece, source: .camera, failure: failure, detail: nil, bytes: 20_000, commitment: nil,
                        secret: nil)), nil
            )
        }
        let bytes = Int64.random(in: 400_000...4_000_000, using: &random)
        let media = MediaFacts(
            type: piece == .hologram ? "video/mp4" : "image/jpeg", bytes: bytes, width: 3024, height: 4032,
            orientation: Int.random(in: 0..<4, using: &random) == 0 ? 6 : 1, flags: [])
        return (
            .capture(
                CapturePiece(
                    piece: piece, captureID: CaptureID(fresh(&random)), source: .camera, media: media,
                    commitment: digest(&random), sealedDigest: digest(&random), sealedBytes: bytes + 1024,
                    rotation: piece == .hologram ? 90 : nil, measurements: [], fields: nil, confirm: nil, secret: nil)), nil
        )
    }

    private func review(
        _ piece: Piece, _ slot: PieceState, _ random: inout SeededGenerator
    ) -> (command: SessionCommand, request: Request?) {
        if state.unchecked.contains(piece), let capture = slot.captureID {
            var checks = RecordChecks(piece: piece, captureID: capture)
            checks.policyVersion = "2026-05"
            let isBad = Int.random(in: 0..<12, using: &random) == 0
            checks.failure = isBad ? (piece == .selfie ? .noFace : .glare) : nil
            let metrics = piece == .selfie ? ["face_score", "tilt"] : ["glare_score", "finger_score", "sharpness"]
            checks.findings = metrics.enumerated().map { index, metric in
                let fails = isBad && index == 0
                let value = Double(Int.random(in: fails ? 50...99 : 0...49, using: &random)) / 100
                return Finding(
                    metric: metric, value: value, passed: !fails, direction: .below, threshold: 0.5,
                    policyVersion: "2026-05")
            }
            return (.recordChecks(checks), nil)
        }
        if Int.random(in: 0..<25, using: &random) == 0 { return (.retake(piece: piece, captureID: nil), nil) }
        return (.confirm(piece: piece, captureID: nil), nil)
    }

    private func answer(
        _ piece: Piece, _ random: inout SeededGenerator
    ) -> (command: SessionCommand, request: Request?) {
        let slot = state.pieces[piece]
        let (capture, destination) = (slot.captureID ?? CaptureID(fresh(&random)), slot.destination ?? "")
        let draw = Int.random(in: 0..<100, using: &random)
        if draw == 0 {
            return (
                .parkDelivery(
                    ParkDelivery(
                        deliveryID: delivery(piece), piece: piece, captureID: capture, destination: destination,
                        cause: "failed_permanently", evidence: nil, attempts: 10)),
                Request(piece: piece, isAnswered: false)
            )
        }
        return (
            .applyAnswer(
                ApplyAnswer(
                    deliveryID: delivery(piece), piece: piece, captureID: capture, destination: destination,
                    outcome: draw < 7 ? .rejected : .verified, score: piece == .hologram ? 0.9 : nil, drop: [], evidence: nil,
                    attempts: 1, secret: nil)),
            Request(piece: piece, isAnswered: true)
        )
    }

    private func observations(_ random: inout SeededGenerator) -> [Observation] {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: [.hologram(.cardDetected), .hologram(.faceDetectionSuccess)]
        case 1: [.hologram(.flashCircleCompleted(circleIndex: Int.random(in: 0..<6, using: &random)))]
        case 2: [.hologram(.flashNotOnCard)]
        case 3: [.hologram(.tooMuchGlare), .hologram(.flashNeedsMoreFrames)]
        default: [.hologram(.flashPositionUpdate(isFlashOnTarget: Bool.random(using: &random)))]
        }
    }

    func delivery(_ piece: Piece) -> DeliveryID {
        Ledger.deliveryID(id, state.pieces[piece].captureID ?? CaptureID(id.uuid), state.pieces[piece].destination ?? "")
    }

    private func fresh(_ random: inout SeededGenerator) -> UUID128 {
        UUID128(milliseconds: state.startedAtMilliseconds, random: (random.next(), random.next()))
    }

    private func digest(_ random: inout SeededGenerator) -> Digest256 {
        Digest256(words: (random.next(), random.next(), random.next(), random.next()))
    }
}
