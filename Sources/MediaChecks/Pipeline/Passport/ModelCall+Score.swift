import SessionDomain

extension ModelCall {
    /// The score that a model gives one of its classes for a part of a picture, stretched to its input. A model whose output
    /// has three dimensions is a detector: its best box of the class is the score.
    func score(of name: String, in picture: any OpenPicture, _ region: NormalizedRect?) throws(CheckFault) -> Double {
        guard let index = descriptor.classNames.firstIndex(of: name) else {
            throw fault(
                ModelFault(
                    .badDescriptor, message: "The \(role.rawValue) model's descriptor does not name the class \(name).",
                    remedy: "Name the model's classes in class_names, in the order of its output."))
        }
        let image = try picture.image(region, .stretch(width: descriptor.inputWidth, height: descriptor.inputHeight))
        let output = try run(image)[0]
        do throws(ModelFault) {
            guard output.shape.count == 3 else {
                return try ScoreOutput.scores(output, classes: descriptor.classNames.count)[index]
            }
            let candidates = try YOLOOutput(output, classes: descriptor.classNames.count).candidates(
                width: descriptor.inputWidth, height: descriptor.inputHeight, normalized: descriptor.boxesAreNormalized,
                floor: 0)
            return candidates.filter { $0.classIndex == index }.map(\.score).max() ?? 0
        } catch { throw fault(error) }
    }
}
