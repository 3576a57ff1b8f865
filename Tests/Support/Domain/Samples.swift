package import SessionDomain

/// Commands and values with as little said as a test needs.
package enum Sample {
    package static let now: Int64 = 1_790_000_000_000

    package static func captureID(_ number: Int) -> CaptureID { CaptureID(UUID128(high: 0xC0, low: UInt64(number))) }
    package static func deliveryID(_ number: Int) -> DeliveryID { DeliveryID(UUID128(high: 0xDE, low: UInt64(number))) }
    package static func digest(_ number: Int) -> Digest256 { Digest256(words: (0, 0, 0, UInt64(number))) }

    package static func media(_ piece: Piece = .passportFront) -> MediaFacts {
        piece == .hologram
            ? MediaFacts(type: "video/mp4", bytes: 500_000, width: 1_280, height: 720, orientation: 1, flags: [])
            : MediaFacts(type: "image/jpeg", bytes: 40_000, width: 1_600, height: 1_200, orientation: 6, flags: [])
    }

    package static func configuration(_ pieces: [Piece]) -> CaptureConfiguration {
        var configuration = CaptureConfiguration(pieces: pieces, flowTitle: "Check in")
        if pieces.contains(.hologram) { configuration.hologramCardType = .NEW_TC_ID }
        return configuration
    }

    package static func start(_ configuration: CaptureConfiguration, secret: Secret? = nil) -> SessionCommand {
        .start(StartSession(configuration: configuration, transaction: nil, secret: secret))
    }

    /// Capture number `number`; its bytes are those of picture `picture`, of its own where that is nil.
    package static func capture(
        _ piece: Piece, _ number: Int, picture: Int? = nil, source: CaptureSource = .camera, confirm: Bool? = nil,
        rotation: Int? = nil, secret: Secret? = nil
    ) -> SessionCommand {
        .capture(
            CapturePiece(
                piece: piece, captureID: captureID(number), source: source, media: media(piece),
                commitment: digest(picture ?? number), sealedDigest: digest(1_000 + number), sealedBytes: 40_100,
                rotation: rotation, measurements: [], fields: nil, confirm: confirm, secret: secret))
    }

    package static func refuse(_ piece: Piece, because failure: CaptureFailure) -> SessionCommand {
        .refuseCapture(
            RefuseCapture(
                piece: piece, source: .camera, failure: failure, detail: nil, bytes: 12, commitment: nil, secret: nil))
    }

    package static func confirm(_ piece: Piece) -> SessionCommand { .confirm(piece: piece, captureID: nil) }
    package static func retake(_ piece: Piece) -> SessionCommand { .retake(piece: piece, captureID: nil) }

    package static func checks(_ piece: Piece, _ number: Int, failure: CaptureFailure? = nil, crop: PageCrop? = nil)
        -> SessionCommand
    {
        var checks = RecordChecks(piece: piece, captureID: captureID(number))
        checks.failure = failure
        checks.policyVersion = "1"
        checks.crop = crop
        return .recordChecks(checks)
    }

    package static func crop(_ number: Int) -> PageCrop {
        PageCrop(
            id: CropID(UUID128(high: 0xCC, low: UInt64(number))), bytes: 9_000, width: 1_200, height: 850,
            commitment: digest(3_000 + number), sealedDigest: digest(4_000 + number), sealedBytes: 9_040)
    }

    package static func answer(
        _ outcome: AnswerOutcome, _ piece: Piece, _ number: Int, drop: [Piece] = [], score: Double? = nil,
        secret: Secret? = nil
    ) -> SessionCommand {
        .applyAnswer(
            ApplyAnswer(
                deliveryID: deliveryID(number), piece: piece, captureID: captureID(number), destination: "verifier",
                outcome: outcome, score: score, drop: drop, evidence: digest(2_000 + number), attempts: 1, secret: secret))
    }

    package static func park(_ piece: Piece, _ number: Int, cause: String = "failed_permanently") -> SessionCommand {
        .parkDelivery(
            ParkDelivery(
                deliveryID: deliveryID(number), piece: piece, captureID: captureID(number), destination: "verifier",
                cause: cause, evidence: nil, attempts: 25))
    }

    package static func requeue(_ piece: Piece, _ number: Int) -> SessionCommand {
        .requeueDelivery(
            RequeueDelivery(
                deliveryID: deliveryID(number), piece: piece, captureID: captureID(number), destination: "verifier"))
    }

    package static func interaction(_ interaction: Interaction, _ piece: Piece? = nil) -> SessionCommand {
        .recordInteraction(
            RecordInteraction(interaction: interaction, piece: piece, remindAtMilliseconds: nil, secret: nil))
    }

    package static func observe(_ observations: HologramObservation...) -> SessionCommand {
        .observe(observations.map { .hologram($0) })
    }
}
