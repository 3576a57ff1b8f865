extension Detection {
    /// What a YOLOv8 detector saw, in fractions of the upright picture, best first, doubles removed.
    ///
    /// - Parameter geometry: with which the picture became the model's input.
    /// - Throws: `wrong_shape`.
    static func decode(
        _ output: FloatTensor, _ descriptor: ModelDescriptor, _ geometry: LetterboxGeometry, _ policy: DetectorPolicy
    ) throws(ModelFault) -> [Detection] {
        let names = descriptor.classNames
        let candidates = try YOLOOutput(output, classes: names.count).candidates(
            width: descriptor.inputWidth, height: descriptor.inputHeight, normalized: descriptor.boxesAreNormalized,
            floor: policy.floor)
        return NonMaximumSuppression.keep(candidates, overlap: policy.overlap, limit: policy.limit).compactMap { candidate in
            let box = geometry.inverse(candidate.box).normalized(width: geometry.sourceWidth, height: geometry.sourceHeight)
            return box.map {
                Detection(name: names[candidate.classIndex], score: candidate.score.toMillionths, box: $0)
            }
        }
    }
}
