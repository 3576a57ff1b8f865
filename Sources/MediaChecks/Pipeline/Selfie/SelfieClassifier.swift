/// The scores of the selfie classifier: four classes, named in its descriptor (S61).
struct SelfieClassifier {
    let glasses, coveredFace, notASelfie: Double

    static let classes: Set<String> = ["ok", "glasses", "covered_face", "not_a_selfie"]

    /// - Throws: `bad_descriptor`, `wrong_shape`, `failed`.
    init(_ output: FloatTensor, classNames: [String]) throws(ModelFault) {
        guard classNames.count == 4, Set(classNames) == Self.classes else {
            throw ModelFault(
                .badDescriptor, message: "The selfie classifier's classes are not ok, glasses, covered_face and not_a_selfie.",
                remedy: "Name these four in class_names, in the order of the model's output.")
        }
        let scores = try ScoreOutput.scores(output, classes: 4)
        func score(_ name: String) -> Double { classNames.firstIndex(of: name).map { scores[$0] } ?? 0 }
        glasses = score("glasses")
        coveredFace = score("covered_face")
        notASelfie = score("not_a_selfie")
    }
}
