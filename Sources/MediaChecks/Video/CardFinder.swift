import SessionDomain

/// Looks for the card and its photo in frames that were letterboxed for the document detector.
struct CardFinder {
    private let detector: ModelCall
    private let policy: CheckPolicy
    /// Of the detector's input.
    let side: Int

    init(_ pipeline: CheckPipeline) throws(CheckFault) {
        detector = try ModelCall.required(.passportDetector, pipeline)
        policy = pipeline.policy
        side = detector.descriptor.inputWidth
        guard side == detector.descriptor.inputHeight else {
            throw detector.fault(
                ModelFault(
                    .badDescriptor, message: "The passport detector's input is not square.",
                    remedy: "Correct the descriptor: pictures are letterboxed into a square."))
        }
    }

    var digest: String { detector.descriptor.digest }

    /// - Parameters:
    ///   - frame: letterboxed into ``side``.
    ///   - geometry: with which it was.
    func look(at frame: RGBImage, _ geometry: LetterboxGeometry) throws(CheckFault) -> CardSight {
        let outputs = try detector.run(frame)
        let all: [Detection]
        do throws(ModelFault) {
            all = try Detection.decode(outputs[0], detector.descriptor, geometry, policy.detector)
        } catch { throw detector.fault(error) }
        let counted = all.filter { $0.score >= policy.detector.threshold($0.name) }
        // a card is whatever document the detector knows: the better of the two classes
        guard let card = counted.first(where: { $0.name == "page" || $0.name == "other_document" }) else {
            return CardSight(card: nil, hasFace: false)
        }
        return CardSight(
            card: card.box, hasFace: counted.contains { $0.name == "photo" && card.box.holdsCentre(of: $0.box) })
    }
}

extension LetterboxGeometry {
    /// A region of the picture in fractions of the square.
    func inSquare(_ region: NormalizedRect) -> NormalizedRect {
        let whole = Double(side)
        return NormalizedRect(
            x: (Double(left) + region.x * Double(contentWidth)) / whole,
            y: (Double(top) + region.y * Double(contentHeight)) / whole,
            width: region.width * Double(contentWidth) / whole, height: region.height * Double(contentHeight) / whole)
    }
}
