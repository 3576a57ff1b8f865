/// The models that the pipeline asks for, each by its part in the checks.
package enum ModelRole: String, Sendable, Hashable, CaseIterable {
    case passportDetector = "passport_detector"
    case glare
    case passportBlur = "passport_blur"
    case selfieClassifier = "selfie"
    case faceDetector = "face_detector"
    case faceMesh = "face_mesh"
}

/// What the pipeline runs models through: the scope of one check, or of a live scan.
package protocol ModelSupply: Sendable {
    /// What the model's descriptor says; nil where no such model is installed.
    ///
    /// - Throws: `bad_descriptor`.
    func descriptor(_ role: ModelRole) throws(ModelFault) -> ModelDescriptor?

    /// Waits until the model is loaded; calls to one model come one after the other.
    ///
    /// - Throws: `not_ready` after five seconds without a runner, or when the load failed (S39, S40); `wrong_shape`; `failed`.
    func run(_ role: ModelRole, _ input: FloatTensor, outputs: [Int]) throws(ModelFault) -> [FloatTensor]
}
