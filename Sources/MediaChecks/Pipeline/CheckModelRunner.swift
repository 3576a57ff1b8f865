/// Runs the models of the checks. Adapters: TensorFlow Lite and a child process (`ModelRunners`), the host's own through the façade,
/// a scripted one in the tests.
package protocol CheckModelRunner: Sendable {
    /// Called off the caller's thread when a scope of checks opens; what it returns is released when the scope closes.
    ///
    /// - Parameter path: of the model's file.
    func load(_ path: String) throws(ModelFault) -> any LoadedCheckModel
}

/// One loaded model. ``ModelScope`` never lets two calls to it overlap; calls to different ones may.
package protocol LoadedCheckModel: AnyObject {
    /// - Parameters:
    ///   - input: of input tensor 0, float32.
    ///   - outputs: the numbers of the output tensors that are wanted, in the order in which they come back.
    func run(_ input: FloatTensor, outputs: [Int]) throws(ModelFault) -> [FloatTensor]

    /// False once it broke and every further call would fail: it is let go of and loaded anew.
    var isUsable: Bool { get }
}

extension LoadedCheckModel {
    package var isUsable: Bool { true }
}

/// Numbers and how they are laid out, row-major.
package struct FloatTensor: Sendable, Hashable {
    /// For instance `[1, 640, 640, 3]` (NHWC) or `[1, 4 + classes, anchors]`.
    package let shape: [Int]
    package var values: [Float]

    /// - Precondition: `values` has as many elements as `shape` says.
    package init(shape: [Int], values: [Float]) {
        precondition(shape.reduce(1, *) == values.count, "a tensor has as many elements as its shape says")
        self.shape = shape
        self.values = values
    }
}

/// Why a model gave no numbers.
package struct ModelFault: Error, Sendable, Hashable {
    package enum Code: String, Sendable, CaseIterable {
        /// No runner, no file, or a load that failed or took too long: the same as no runner (S40).
        case notReady = "not_ready"
        /// The tensor has another size than its shape or its descriptor says (S36).
        case wrongShape = "wrong_shape"
        /// The model ran and failed.
        case failed
        /// The descriptor beside the model contradicts itself or the model.
        case badDescriptor = "bad_descriptor"
    }

    package let code: Code
    package let message: String
    package let remedy: String

    package init(_ code: Code, message: String, remedy: String) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}
