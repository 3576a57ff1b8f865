import SessionDomain
import TestSupport

/// Draws commands that are often, and not always, what the session is waiting for.
struct RandomCommands {
    var random: SeededRandom
    private var captures: [(piece: Piece, number: Int)] = []
    /// Stands in every secret and may stand nowhere else.
    static let marker = "Jane-Doe-P1234567"
    static var secret: Secret { Array("{\"name\":\"\(marker)\"}".utf8) }

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func configuration() -> CaptureConfiguration {
        var configuration = Sample.configuration(pieces())
        configuration.autoConfirm = random.one(in: 2)
        configuration.allowUploadFromDevice = random.one(in: 2)
        configuration.checks = pick([nil, .off, .deferred, .required])
        configuration.deadlineMilliseconds = random.one(in: 2) ? 40_000 : nil
        configuration.progress = pick([.segments(count: 2, filled: 1), .steps(count: 3, filled: 2), .fraction, .hidden])
        configuration.hologramPassMark = random.one(in: 3) ? 0.5 : nil
        configuration.hologramSettings.useCardDetection = random.one(in: 3)
        configuration.hologramSettings.stopVideoWhileRecording = random.one(in: 2)
        configuration.hologramSettings.hologramControlEnabled = random.one(in: 2)
        configuration.hologramSettings.controlFaceCapture = random.one(in: 2)
        configuration.fallbackLink = random.one(in: 2) ? FallbackLink(title: "Later") : nil
        return configuration
    }

    private mutating func pieces() -> [Piece] {
        let shuffled = Piece.allCases.shuffled(using: &random)
        return Array(shuffled.prefix(Int.random(in: 1...4, using: &random)))
    }

    mutating func next(_ state: SessionState) -> SessionCommand {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: return capture(state)
        case 25..<33: return .confirm(piece: anyPiece(state), captureID: nil)
        case 33..<36: return .retake(piece: anyPiece(state), captureID: nil)
        case 36..<44: return checks(state)
        case 44..<66: return answer(state)
        case 66..<69: return parking()
        case 69..<71:
            let delivery = anyCapture()
            return Sample.requeue(delivery.piece, delivery.number)
        case 71..<74: return .drop(pieces: pick([[.passportBack], [.selfie, .hologram], Piece.allCases, []]))
        case 74..<81: return random.one(in: 5) ? .cancelHologramRecording(cause: .user) : .startHologramRecording
        case 81..<87: return Sample.observe(pick([.cardDetected, .cardLost, .faceDetectionSuccess, .tooMuchGlare]))
        case 87..<89: return .recordInteraction(interaction(state))
        case 89: return Sample.refuse(anyPiece(state), because: .truncated)
        case 90: return .suspend
        case 91..<95: return .resume
        case 95: return .exit(secret: Self.secret)
        case 96: return random.one(in: 3) ? .cancel(secret: Self.secret) : .expire
        case 97: return .bindTransaction(Sample.digest(Int.random(in: 1...2, using: &random)), secret: Self.secret)
        case 98: return purge()
        default: return random.one(in: 4) ? .erase : .expire
        }
    }

    private mutating func capture(_ state: SessionState) -> SessionCommand {
        let piece = random.one(in: 5) ? anyPiece(state) : state.currentPiece ?? anyPiece(state)
        let number = captures.count + 1
        captures.append((piece, number))
        return Sample.capture(
            piece, number, picture: Int.random(in: 1...20, using: &random), source: pick([.camera, .camera, .gallery, .file]),
            confirm: pick([nil, nil, true, false]), rotation: piece == .hologram ? pick([0, 90, 45]) : nil,
            secret: Self.secret)
    }

    /// The latest capture most of the time, else any.
    private mutating func anyCapture() -> (piece: Piece, number: Int) {
        guard let last = captures.last else { return (.selfie, 1) }
        return random.one(in: 2) ? last : pick(captures)
    }

    private mutating func checks(_ state: SessionState) -> SessionCommand {
        let capture = anyCapture()
        return Sample.checks(
            capture.piece, capture.number, failure: pick([nil, nil, nil, .blurryPhoto, .scannerNotReady]),
            crop: random.one(in: 2) ? Sample.crop(capture.number) : nil)
    }

    private mutating func answer(_ state: SessionState) -> SessionCommand {
        let capture = random.one(in: 8) ? anyCapture() : waiting(state) ?? anyCapture()
        return Sample.answer(
            pick([.verified, .verified, .verified, .rejected, .failed]), capture.piece, capture.number,
            drop: random.one(in: 6) ? pick([[.passportBack], Piece.allCases]) : [],
            score: random.one(in: 5) ? nil : Double.random(in: 0...1, using: &random), secret: Self.secret)
    }

    private mutating func waiting(_ state: SessionState) -> (piece: Piece, number: Int)? {
        let waiting = captures.filter { capture in
            state.pieces[capture.piece].captureID == Sample.captureID(capture.number)
                && state.pieces[capture.piece].status == .awaitingVerification
        }
        return waiting.isEmpty ? nil : pick(waiting)
    }

    private mutating func parking() -> SessionCommand {
        let capture = anyCapture()
        return Sample.park(capture.piece, capture.number, cause: pick(["failed_permanently", "media_expired"]))
    }

    private mutating func purge() -> SessionCommand {
        let capture = anyCapture()
        return .purgeMedia(
            PurgeMedia(
                piece: capture.piece, captureID: Sample.captureID(capture.number), cause: "retention", bytes: 1,
                commitment: nil))
    }

    private mutating func interaction(_ state: SessionState) -> RecordInteraction {
        RecordInteraction(
            interaction: pick(Interaction.allCases), piece: random.one(in: 2) ? anyPiece(state) : nil,
            remindAtMilliseconds: nil, secret: Self.secret)
    }

    private mutating func anyPiece(_ state: SessionState) -> Piece {
        random.one(in: 10) ? pick(Piece.allCases) : pick(state.order.isEmpty ? Piece.allCases : state.order)
    }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
}
