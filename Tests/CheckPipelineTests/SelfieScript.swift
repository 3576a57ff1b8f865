import Glibc
import MediaChecks
import SessionDomain
import Synchronization
import TestSupport

/// Scripted face models around a picture of 640 x 640, with faces given in fractions of it.
final class SelfieScript: Sendable {
    /// A square box around the face, and how sure detector and mesh are.
    struct Seen: Sendable {
        var x = 0.3, y = 0.3, side = 0.4
        var score = 0.95, presence = 0.99
        /// Of the line between the eyes, clockwise.
        var roll = 0.0
    }

    static let one = [Seen()]
    static let two = [Seen(x: 0.1, side: 0.3), Seen(x: 0.6, side: 0.3)]

    let models = ScriptedModels()
    private let meshes: Mutex<[Double]>

    init(
        _ faces: [Seen] = one, classifier scores: [Double]? = nil,
        names: [String] = ["ok", "glasses", "covered_face", "not_a_selfie"]
    ) {
        meshes = Mutex(faces.sorted { $0.score > $1.score }.map(\.presence))
        let whole = FaceSamples.detectorOutput(faces)
        let empty = FaceSamples.detectorOutput([])
        let calls = Mutex(0)
        models.install(
            .faceDetector, .scripted(.faceDetector, side: 128, [], scale: 1 / 127.5, offset: -1)
        ) { _ in
            // the first look is at all of the picture, the others at its squares
            calls.withLock { calls in
                calls += 1
                return calls == 1 ? whole : empty
            }
        }
        models.install(.faceMesh, .scripted(.faceMesh, side: 192, [])) { [weak self] _ in
            let presence = self?.meshes.withLock { $0.isEmpty ? 0 : $0.removeFirst() } ?? 0
            return FaceSamples.meshOutput(presence: presence)
        }
        guard let scores else { return }
        models.install(.selfieClassifier, .scripted(.selfieClassifier, side: 224, names)) { _ in [PassportScript.scores(scores)]
        }
    }

    func check(
        source: CaptureSource = .file, _ switches: SelfieChecks = .standard, measurements: [Measurement] = [],
        policy: CheckPolicy = .standard, picture: PlainPicture = PlainPicture(640, 640)
    ) throws(CheckFault) -> CheckReport {
        try CheckPipeline(policy: policy, models: models).check(
            picture, CheckQuestion(piece: .selfie, source: source, selfie: switches, measurements: measurements))
    }
}

enum FaceSamples {
    static func logit(_ probability: Double) -> Float {
        let odds = max(probability, 1e-12) / max(1 - probability, 1e-12)
        return Float(log(odds))
    }

    /// Boxes and scores of the short-range detector for faces in fractions of a square picture.
    static func detectorOutput(_ faces: [SelfieScript.Seen]) -> [FloatTensor] {
        var boxes = [Float](repeating: 0, count: 896 * 16)
        var scores = [Float](repeating: -20, count: 896)
        for (place, face) in faces.enumerated() {
            let index = 100 + 37 * place
            let anchor = FaceAnchors.centres[index]
            func put(_ channel: Int, _ x: Double, _ y: Double) {
                boxes[16 * index + channel] = Float((x - anchor.x) * 128)
                boxes[16 * index + channel + 1] = Float((y - anchor.y) * 128)
            }
            let (x, y) = (face.x + face.side / 2, face.y + face.side / 2)
            put(0, x, y)
            boxes[16 * index + 2] = Float(face.side * 128)
            boxes[16 * index + 3] = Float(face.side * 128)
            put(4, x - face.side * 0.2, y - face.side * 0.1)
            put(6, x + face.side * 0.2, y - face.side * 0.1)
            scores[index] = logit(face.score)
        }
        return [FloatTensor(shape: [1, 896, 16], values: boxes), FloatTensor(shape: [1, 896, 1], values: scores)]
    }

    /// A face that looks into the camera.
    static func meshOutput(presence: Double, moved: [Int: (Double, Double, Double)] = [:]) -> [FloatTensor] {
        var values = [Float](repeating: 96, count: 3 * 468)
        let places: [Int: (Double, Double, Double)] = [
            33: (60, 80, 0), 133: (84, 80, 0), 362: (108, 80, 0), 263: (132, 80, 0), 10: (96, 40, 0), 152: (96, 150, 0),
            1: (96, 105, -20),
        ]
        for (index, place) in places.merging(moved, uniquingKeysWith: { $1 }) {
            values[3 * index] = Float(place.0)
            values[3 * index + 1] = Float(place.1)
            values[3 * index + 2] = Float(place.2)
        }
        return [
            FloatTensor(shape: [1, 1, 1, 1404], values: values),
            FloatTensor(shape: [1, 1, 1, 1], values: [logit(presence)]),
        ]
    }
}
