/// What the JSON file beside a model says about it (`model.tflite`, `model.json`).
package struct ModelDescriptor: Sendable, Hashable {
    /// Width and height of the input; three channels, NHWC, float32.
    package var inputWidth: Int
    package var inputHeight: Int
    /// A byte `b` of a channel becomes `b · scale + offset`: 1/255 and 0, or 1/127.5 and −1.
    package var scale: Double
    package var offset: Double
    /// In the order of the model's output.
    package var classNames: [String]
    /// Detectors: whether boxes come in fractions of the input (true) or in its pixels (false).
    package var boxesAreNormalized: Bool
    /// SHA-256 of the model's file, lower hex: findings name it.
    package var digest: String
    /// An SPDX expression.
    package var licence: String

    package init(
        inputWidth: Int, inputHeight: Int, scale: Double, offset: Double, classNames: [String], boxesAreNormalized: Bool,
        digest: String, licence: String
    ) {
        self.inputWidth = inputWidth
        self.inputHeight = inputHeight
        self.scale = scale
        self.offset = offset
        self.classNames = classNames
        self.boxesAreNormalized = boxesAreNormalized
        self.digest = digest
        self.licence = licence
    }
}
