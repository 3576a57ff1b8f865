import SessionDomain

/// Runs the face detector over a picture: once over all of it and, for uploads, over overlapping squares of half its longer
/// side as well, since the detector sees no face that is much smaller than an eighth of what it is shown.
struct FaceFinder {
    let model: ModelCall
    let policy: SelfiePolicy

    /// So many faces are looked at by the mesh at most.
    static let limit = 8

    /// - Returns: in pixels of the picture, best first.
    func faces(in picture: any OpenPicture, closely: Bool) throws(CheckFault) -> [FaceCandidate] {
        guard model.descriptor.inputWidth == FaceAnchors.inputSide, model.descriptor.inputHeight == FaceAnchors.inputSide else {
            throw model.fault(
                ModelFault(
                    .badDescriptor, message: "The face detector's input is not 128 × 128.",
                    remedy: "Correct the descriptor, or install mediapipe's face_detection_short_range model."))
        }
        var found: [FaceCandidate] = []
        for window in closely ? Self.windows(picture.width, picture.height) : [(0, 0, picture.width, picture.height)] {
            found += try faces(in: picture, window)
        }
        return FaceCandidate.keep(found, overlap: policy.faceOverlap, limit: Self.limit)
    }

    typealias Window = (x: Int, y: Int, width: Int, height: Int)

    /// All of a picture, and the squares.
    static func windows(_ width: Int, _ height: Int) -> [Window] {
        let side = (max(width, height) + 1) / 2
        /// Starts along one side: the last window ends where the picture does.
        func starts(_ length: Int) -> [Int] {
            guard length > side else { return [0] }
            let count = 1 + (2 * (length - side) + side - 1) / side
            return (0..<count).map { $0 * (length - side) / (count - 1) }
        }
        var windows: [Window] = [(0, 0, width, height)]
        guard side >= FaceAnchors.inputSide else { return windows }
        for y in starts(height) {
            for x in starts(width) { windows.append((x, y, min(side, width), min(side, height))) }
        }
        return windows
    }

    private func faces(in picture: any OpenPicture, _ window: Window) throws(CheckFault) -> [FaceCandidate] {
        let (width, height) = (Double(picture.width), Double(picture.height))
        let region = NormalizedRect(
            x: Double(window.x) / width, y: Double(window.y) / height, width: Double(window.width) / width,
            height: Double(window.height) / height)
        let isAll = window.width == picture.width && window.height == picture.height
        let side = FaceAnchors.inputSide
        let outputs = try model.run(try picture.image(isAll ? nil : region, .letterbox(side: side)), outputs: [0, 1])
        let geometry = LetterboxGeometry(width: window.width, height: window.height, side: side)
        func place(_ point: Point) -> Point {
            let (x, y) = geometry.inverse(x: point.x, y: point.y)
            return Point(x: x + Double(window.x), y: y + Double(window.y))
        }
        do throws(ModelFault) {
            return try FaceDetectorOutput(outputs).candidates(atLeast: policy.faceScore).map { $0.moved(place) }
        } catch { throw model.fault(error) }
    }
}
