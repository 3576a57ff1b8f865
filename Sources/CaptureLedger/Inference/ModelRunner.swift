public import FoundationEssentials
import Synchronization

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
    private static let registered = Mutex<(any ModelRunner)?>(nil)

    /// nil: live scans stay silent, and an upload that must be checked fails as `scanner_not_ready`.
    public static var runner: (any ModelRunner)? {
        get { registered.withLock { $0 } }
        set { registered.withLock { $0 = newValue } }
    }
}
