/// What the face detector takes for a face.
package struct FaceCandidate: Sendable, Hashable {
    package let score: Double
    package let box: PixelBox
    /// The person's; in an upright face the right eye is the one further left in the picture.
    package let rightEye, leftEye: Point

    package init(score: Double, box: PixelBox, rightEye: Point, leftEye: Point) {
        self.score = score
        self.box = box
        self.rightEye = rightEye
        self.leftEye = leftEye
    }

    /// Elsewhere.
    func moved(_ place: (Point) -> Point) -> FaceCandidate {
        let (upper, lower) = (place(Point(x: box.x0, y: box.y0)), place(Point(x: box.x1, y: box.y1)))
        return FaceCandidate(
            score: score, box: PixelBox(x0: upper.x, y0: upper.y, x1: lower.x, y1: lower.y), rightEye: place(rightEye),
            leftEye: place(leftEye))
    }

    /// The best of every group whose boxes overlap by more, best first.
    package static func keep(_ candidates: [FaceCandidate], overlap: Double, limit: Int) -> [FaceCandidate] {
        let boxes = candidates.enumerated().map {
            Candidate(classIndex: 0, score: $0.element.score, box: $0.element.box, index: $0.offset)
        }
        return NonMaximumSuppression.keep(boxes, overlap: overlap, limit: limit).map { candidates[$0.index] }
    }
}
