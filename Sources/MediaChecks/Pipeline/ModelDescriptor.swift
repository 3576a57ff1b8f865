/// What the JSON file beside a model says about it (`model.tflite`, `model.json`).
package struct ModelDescriptor: Sendable, Hashable {
    /// How the numbers that come out are arranged.
    package enum Layout: String, Sendable, CaseIterable {
        /// Boxes with a score for each class: `[1, 4 + classes, anchors]` or `[1, anchors, 4 + classes]`.
        case yolov8
        /// One score for each class.
        case scores
        /// Two outputs, boxes with six points and scores, over mediapipe's anchors.
        case faceDetection = "mediapipe_face_detection"
        /// Two outputs, 468 points and whether there is a face.
        case faceMesh = "mediapipe_face_mesh"
    }

    /// The model's file name.
    package var model: String
    package var role: ModelRole
    /// Width and height of the input; three channels, NHWC, float32.
    package var inputWidth: Int
    package var inputHeight: Int
    /// A byte `b` of a channel becomes `b · scale + offset`: 1/255 and 0, or 1/127.5 and −1.
    package var scale: Double
    package var offset: Double
    package var layout: Layout
    /// In the order of the model's output.
    package var classNames: [String]
    /// Detectors: whether boxes come in fractions of the input (true) or in its pixels (false).
    package var boxesAreNormalized: Bool
    /// SHA-256 of the model's file, lower hex: findings name it.
    package var digest: String
    /// An SPDX expression.
    package var licence: String

    package init(
        model: String = "model.tflite", role: ModelRole = .passportDetector, inputWidth: Int, inputHeight: Int, scale: Double,
        offset: Double, layout: Layout = .yolov8, classNames: [String], boxesAreNormalized: Bool, digest: String,
        licence: String
    ) {
        self.model = model
        self.role = role
        self.inputWidth = inputWidth
        self.inputHeight = inputHeight
        self.scale = scale
        self.offset = offset
        self.layout = layout
        self.classNames = classNames
        self.boxesAreNormalized = boxesAreNormalized
        self.digest = digest
        self.licence = licence
    }
}
