import MediaChecks
import SessionDomain
import Synchronization
import TestSupport

/// Scripted models around a picture of 640 x 640, with boxes given in fractions of it.
final class PassportScript: Sendable {
    typealias Seen = (name: String, score: Double, x: Double, y: Double, width: Double, height: Double)

    static let classes = ["page", "photo", "signature", "mrz", "finger", "other_document"]
    static let page: Seen = ("page", 0.95, 0.1, 0.2, 0.8, 0.6)
    static let photo: Seen = ("photo", 0.9, 0.15, 0.3, 0.2, 0.3)
    /// Its upper edge lies at 0.7, its area is 0.7 x 0.08.
    static let mrz: Seen = ("mrz", 0.9, 0.15, 0.7, 0.7, 0.08)
    static let signature: Seen = ("signature", 0.6, 0.5, 0.6, 0.2, 0.05)
    static let clean: [Seen] = [page, photo, mrz]
    /// Covers 0.1 x 0.08 of the MRZ.
    static let fingerOnMRZ: Seen = ("finger", 0.8, 0.5, 0.68, 0.1, 0.2)
    static let fingerBeside: Seen = ("finger", 0.8, 0.0, 0.4, 0.12, 0.2)

    let models = ScriptedModels()

    init(
        _ seen: [Seen] = clean, glare: Double = 0.1, blurred: Double = 0.1,
        layout: YOLOSamples.Layout = .channelsFirst, normalized: Bool = true
    ) {
        let anchors = seen.map { Self.anchor($0) }
        let output = YOLOSamples.output(anchors, classes: 6, side: 320, layout: layout, normalized: normalized)
        models.install(
            .passportDetector, .scripted(.passportDetector, side: 320, Self.classes, normalized: normalized)
        ) { _ in [output] }
        models.install(.glare, .scripted(.glare, side: 224, ["clear", "glare"])) { _ in [Self.scores([1 - glare, glare])] }
        models.install(.passportBlur, .scripted(.passportBlur, side: 224, ["blurred", "sharp"])) { _ in
            [Self.scores([blurred, 1 - blurred])]
        }
    }

    static func scores(_ scores: [Double]) -> FloatTensor {
        FloatTensor(shape: [1, scores.count], values: scores.map { Float($0) })
    }

    private static func anchor(_ seen: Seen) -> Anchor {
        var scores = [Double](repeating: 0, count: classes.count)
        if let index = classes.firstIndex(of: seen.name) { scores[index] = seen.score }
        return Anchor(
            box: (
                (seen.x + seen.width / 2) * 320, (seen.y + seen.height / 2) * 320, seen.width * 320, seen.height * 320
            ), scores: scores)
    }

    func check(
        _ piece: Piece = .passportFront, source: CaptureSource = .file, switches: PassportChecks = .standard,
        policy: CheckPolicy = .standard, picture: PlainPicture = PlainPicture(640, 640)
    ) throws(CheckFault) -> CheckReport {
        try CheckPipeline(policy: policy, models: models).check(
            picture, CheckQuestion(piece: piece, source: source, passport: switches))
    }
}

extension CheckReport {
    func finding(_ metric: String) -> Finding? { findings.first { $0.metric == metric } }
}
