import SessionDomain

/// A face on which detector and mesh agree.
struct Face {
    let candidate: FaceCandidate
    let mesh: FaceMesh
    /// In fractions of the picture.
    let box: NormalizedRect
}

/// What the two face models said about a picture.
struct SelfieFaces {
    /// Faces on which both agree (K10), largest first.
    private(set) var faces: [Face] = []
    /// The detector's best score; 0 without a candidate.
    let bestScore: Double
    /// The mesh's best score; nil: there was no candidate that it could have looked at.
    private(set) var bestPresence: Double?
    let detectorDigest, meshDigest: String

    init(_ detector: ModelCall, _ mesh: ModelCall, in picture: any OpenPicture, _ policy: SelfiePolicy, closely: Bool)
        throws(CheckFault)
    {
        detectorDigest = detector.descriptor.digest
        meshDigest = mesh.descriptor.digest
        let candidates = try FaceFinder(model: detector, policy: policy).faces(in: picture, closely: closely)
        bestScore = candidates.first?.score ?? 0
        for candidate in candidates {
            guard let box = candidate.box.normalized(width: picture.width, height: picture.height) else { continue }
            let found = try Self.mesh(of: candidate, mesh, picture)
            bestPresence = max(bestPresence ?? 0, found.presence)
            guard found.presence >= policy.meshPresence, box.area >= policy.smallestFace, !isKnown(found) else { continue }
            faces.append(Face(candidate: candidate, mesh: found, box: box))
        }
        faces.sort { $0.box.area > $1.box.area }
    }

    /// Two meshes whose eyes lie at one place are one face that was seen in two windows.
    private func isKnown(_ mesh: FaceMesh) -> Bool {
        faces.contains { face in
            let apart = face.mesh.eyesMiddle - mesh.eyesMiddle
            return Point(x: apart.x, y: apart.y).length < max(face.mesh.eyeDistance, mesh.eyeDistance)
        }
    }

    private static func mesh(
        of candidate: FaceCandidate, _ model: ModelCall, _ picture: any OpenPicture
    ) throws(CheckFault) -> FaceMesh {
        let size = model.descriptor.inputWidth
        guard size == model.descriptor.inputHeight, (1...1024).contains(size) else {
            throw model.fault(
                ModelFault(
                    .badDescriptor, message: "The face mesh's input is not a square of at most 1,024 pixels.",
                    remedy: "Correct the descriptor, or install mediapipe's face_landmark model."))
        }
        let crop = RotatedCrop(around: candidate)
        let outputs = try model.run(try crop.image(of: picture, size: size), outputs: [0, 1])
        do throws(ModelFault) {
            return try FaceMesh(outputs, size: size, side: crop.side) { x, y in crop.place(x: x, y: y) }
        } catch { throw model.fault(error) }
    }
}
