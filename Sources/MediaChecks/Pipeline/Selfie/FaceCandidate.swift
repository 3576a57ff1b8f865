/// What the face detector takes for a face.
package struct FaceCandidate: Sendable, Hashable {
    package let score: Double
    package let box: PixelBox
    /// The two eyes as they lie in the picture: the one further left of an upright face first.
    package let eyes: (Point, Point)

    package init(score: Double, box: PixelBox, eyes: (Point, Point)) {
        self.score = score
        self.box = box
        self.eyes = eyes
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.score == right.score && left.box == right.box && left.eyes == right.eyes
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(score)
        hasher.combine(box)
    }

    /// The best of every group whose boxes overlap by more, best first.
    package static func keep(_ candidates: [FaceCandidate], overlap: Double, limit: Int) -> [FaceCandidate] {
        let boxes = candidates.enumerated().map {
            Candidate(classIndex: 0, score: $0.element.score, box: $0.element.box, index: $0.offset)
        }
        return NonMaximumSuppression.keep(boxes, overlap: overlap, limit: limit).map { candidates[$0.index] }
    }
}
