package import MediaChecks

extension ModelRole {
    /// The name under which a model for this part is installed.
    package var fileName: String {
        switch self {
        case .passportDetector: "passport_multi_class_detection.tflite"
        case .glare: "glare_model_fp16.tflite"
        case .passportBlur: "passport_blur_model.tflite"
        case .selfieClassifier: "selfie_model.tflite"
        case .faceDetector: "face_detection_short_range.tflite"
        case .faceMesh: "face_landmark.tflite"
        }
    }

    /// Of the JSON file that describes it.
    package var descriptorName: String { fileName.dropLast(".tflite".count) + ".json" }
}
