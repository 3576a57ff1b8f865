import Glibc

/// The two outputs of mediapipe's short-range face detector: `[1, 896, 16]` with centre, size and six points relative to the
/// anchor in pixels of the input, and `[1, 896, 1]` with one score before its sigmoid. They are told apart by their size.
package struct FaceDetectorOutput: Sendable {
    private let boxes: [Float]
    private let scores: [Float]
    private static let channels = 16

    /// - Throws: `wrong_shape`.
    package init(_ outputs: [FloatTensor]) throws(ModelFault) {
        let count = FaceAnchors.centres.count
        guard outputs.count == 2, let boxes = outputs.first(where: { $0.values.count == count * Self.channels }),
            let scores = outputs.first(where: { $0.values.count == count })
        else {
            throw ModelFault(
                .wrongShape, message: "The face detector's outputs are not [1, 896, 16] and [1, 896, 1].",
                remedy: "Install mediapipe's face_detection_short_range model.")
        }
        self.boxes = boxes.values
        self.scores = scores.values
    }

    /// In pixels of the input, not yet without doubles. Numbers that no picture explains are left out.
    package func candidates(atLeast threshold: Double) -> [FaceCandidate] {
        let side = Double(FaceAnchors.inputSide)
        var found: [FaceCandidate] = []
        for (index, anchor) in FaceAnchors.centres.enumerated() {
            guard scores[index].isFinite else { continue }
            let score = Self.sigmoid(Double(scores[index]))
            guard score >= threshold else { continue }
            func number(_ channel: Int) -> Double { Double(boxes[index * Self.channels + channel]) }
            func point(_ channel: Int) -> Point {
                Point(x: number(channel) + anchor.x * side, y: number(channel + 1) + anchor.y * side)
            }
            let centre = point(0)
            let box = PixelBox(centreX: centre.x, centreY: centre.y, width: number(2), height: number(3))
            let (rightEye, leftEye) = (point(4), point(6))
            guard centre.isFinite, rightEye.isFinite, leftEye.isFinite, (2...(4 * side)).contains(number(2)),
                (2...(4 * side)).contains(number(3)), box.intersection(PixelBox(x0: 0, y0: 0, x1: side, y1: side)).area > 0
            else { continue }
            found.append(FaceCandidate(score: score, box: box, rightEye: rightEye, leftEye: leftEye))
        }
        return found
    }

    /// Clipped, so that no score leaves the range in which it can be told from 0 and 1.
    package static func sigmoid(_ value: Double) -> Double { 1 / (1 + exp(-min(100, max(-100, value)))) }
}
