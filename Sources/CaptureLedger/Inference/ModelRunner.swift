public import FoundationEssentials

/// Runs models for the check pipeline: the only machine learning code that a host writes.
public protocol ModelRunner: Sendable {
    /// Called off the caller's thread when a scope of checks opens; what it returns is released when the scope closes.
    func loadModel(at url: URL) throws -> any LoadedModel
}

/// One loaded model. Calls to it never overlap; calls to different ones may.
public protocol LoadedModel: AnyObject {
    /// - Parameter input: Float32, NHWC, little endian: 4·N·H·W·C bytes, resized and normalised already.
    /// - Returns: output tensor 0 with its shape.
    func run(_ input: Data) throws -> Tensor

    /// For models with more than one output, such as those that find faces. Unless it is implemented, only output 0 is there.
    ///
    /// - Parameters:
    ///   - input: as for `run(_:)`.
    ///   - outputs: the numbers of the output tensors that are wanted.
    /// - Returns: those tensors, in the order in which they were asked for.
    func run(_ input: Data, outputs: [Int]) throws -> [Tensor]
}

extension LoadedModel {
    /// Gives output 0, from as many calls of `run(_:)` as it was asked for.
    ///
    /// - Throws: `LedgerError` with the code `wrong_shape` when another one is asked for.
    public func run(_ input: Data, outputs: [Int]) throws -> [Tensor] {
        try outputs.map { number in
            guard number == 0 else {
                throw LedgerError(
                    code: LedgerError.Code(rawValue: "wrong_shape"), message: "the host's model runner gives output 0 alone",
                    remedy: "Implement run(_:outputs:) in the host's loaded model.")
            }
            return try run(input)
        }
    }
}

/// Numbers and how they are laid out.
public struct Tensor: Sendable, Hashable {
    /// Float32, little endian, row-major: four bytes for each element of `shape`.
    public let data: Data
    /// For instance `[1, 4 + classes, anchors]`.
    public let shape: [Int]

    public init(data: Data, shape: [Int]) {
        self.data = data
        self.shape = shape
    }
}

/// Where a host registers its model runner, once, before it opens a ledger.
public enum Inference {
    /// What ``runner`` holds, for whoever waits for one.
    package static let registry = RunnerRegistry()

    /// nil: live scans stay silent, and an upload that must be checked fails as `scanner_not_ready`. A check that waits for a runner goes
    /// on as soon as one is registered.
    public static var runner: (any ModelRunner)? {
        get { registry.runner }
        set { registry.runner = newValue }
    }
}
