import CTensorFlowLite
import MediaChecks

/// A tensor of an interpreter, whose type and size were looked at.
@safe struct TensorFlowLiteTensor {
    private let calls: UnsafePointer<cl_tflite>
    private let tensor: OpaquePointer
    private let name: String
    let shape: [Int]
    private let count: Int

    /// - Throws: `wrong_shape` unless it is float32 and four bytes for each element of its shape long.
    init(_ calls: UnsafePointer<cl_tflite>, _ tensor: OpaquePointer, name: String) throws(ModelFault) {
        unsafe self.calls = calls
        unsafe self.tensor = tensor
        self.name = name
        let table = unsafe calls.pointee
        guard unsafe table.type(tensor) == 1 else { throw Self.mismatch("\(name) of the model is not float32") }
        shape = unsafe (0..<max(0, table.rank(tensor))).map { unsafe Int(table.dimension(tensor, $0)) }
        guard let count = elementCount(of: shape), unsafe table.byte_count(tensor) == 4 * count else {
            throw Self.mismatch("\(name) of the model has another size than its shape \(shape) says")
        }
        self.count = count
    }

    /// - Throws: `wrong_shape` unless the shapes are the same.
    func write(_ values: FloatTensor) throws(ModelFault) {
        guard values.shape == shape, values.values.count == count else {
            throw Self.mismatch("\(name) of the model has the shape \(shape), not \(values.shape)")
        }
        let status = unsafe values.values.withUnsafeBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe calls.pointee.copy_in(tensor, $0, bytes.count) } ?? 0
        }
        if status != 0 { throw Self.mismatch("\(name) of the model does not take \(4 * count) bytes") }
    }

    func read() throws(ModelFault) -> FloatTensor {
        var status: Int32 = 0
        let values = unsafe [Float](unsafeUninitializedCapacity: count) { buffer, filled in
            if let start = buffer.baseAddress { status = unsafe calls.pointee.copy_out(tensor, start, 4 * count) }
            filled = status == 0 ? count : 0
        }
        if status != 0 { throw Self.mismatch("\(name) of the model does not give \(4 * count) bytes") }
        return FloatTensor(shape: shape, values: values)
    }

    private static func mismatch(_ sentence: String) -> ModelFault {
        ModelFault(.wrongShape, message: sentence, remedy: "Install the model that the descriptor beside it was written for.")
    }
}
