import SessionDomain

/// mediapipe's face mesh of one face: how sure the model is that there is one, and its landmarks.
package struct FaceMesh: Sendable, Hashable {
    /// 0 to 1.
    package let presence: Double
    /// In pixels of the picture.
    package let landmarks: [Point]

    /// Numbers of the landmarks that are used here, in mediapipe's canonical face model. "Left" and "right" are the person's.
    package enum Landmark {
        package static let count = 468
        package static let forehead = 10, chin = 152
        package static let rightEyeOuter = 33, rightEyeInner = 133, leftEyeInner = 362, leftEyeOuter = 263
    }

    package init(presence: Double, landmarks: [Point]) {
        self.presence = presence
        self.landmarks = landmarks
    }

    /// - Parameters:
    ///   - outputs: the landmarks as `[…, 1404]` (or more: an iris is left out) in pixels of the input, and one score before
    ///     its sigmoid.
    ///   - place: from fractions of the input to pixels of the picture.
    ///   - size: of the input.
    ///   - side: of the crop, in pixels of the picture.
    /// - Throws: `wrong_shape`.
    init(_ outputs: [FloatTensor], size: Int, side: Double, place: (Double, Double) -> Point) throws(ModelFault) {
        guard outputs.count == 2, let numbers = outputs.first(where: { $0.values.count >= 3 * Landmark.count }),
            let score = outputs.first(where: { $0.values.count == 1 })
        else {
            throw ModelFault(
                .wrongShape, message: "The face mesh's outputs are not 468 landmarks and one score.",
                remedy: "Install mediapipe's face_landmark model.")
        }
        var landmarks: [Point] = []
        landmarks.reserveCapacity(Landmark.count)
        var isSound = score.values[0].isFinite
        for index in 0..<Landmark.count {
            let (x, y) = (Double(numbers.values[3 * index]), Double(numbers.values[3 * index + 1]))
            var point = place(x / Double(size), y / Double(size))
            point.z = Double(numbers.values[3 * index + 2]) * side / Double(size)
            isSound = isSound && point.isFinite
            landmarks.append(point)
        }
        self.landmarks = landmarks
        presence = isSound ? FaceDetectorOutput.sigmoid(Double(score.values[0])) : 0
    }

    private func middle(_ left: Int, _ right: Int) -> Point { Point.middle(landmarks[left], landmarks[right]) }

    package var rightEye: Point { middle(Landmark.rightEyeOuter, Landmark.rightEyeInner) }
    package var leftEye: Point { middle(Landmark.leftEyeInner, Landmark.leftEyeOuter) }
    package var eyesMiddle: Point { Point.middle(rightEye, leftEye) }

    /// Between the eyes' middles as the picture shows them, in pixels.
    package var eyeDistance: Double {
        let line = leftEye - rightEye
        return Point(x: line.x, y: line.y).length
    }

    /// From the eyes' midpoint to the chin as the picture shows it, in pixels.
    package var headLength: Double {
        let line = landmarks[Landmark.chin] - eyesMiddle
        return Point(x: line.x, y: line.y).length
    }
}
