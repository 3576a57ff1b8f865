import CTensorFlowLite
import Glibc
import MediaChecks
import SystemCalls

/// One model with its interpreter. What the C library allocated goes when this does.
@safe final class TensorFlowLiteModel: RunnableModel {
    private let calls: UnsafePointer<cl_tflite>
    /// The file's bytes, which the model reads for as long as it lives: a copy, so that a file that shrinks meanwhile ends nothing.
    private var bytes: UnsafeMutableRawBufferPointer?
    private var model: OpaquePointer?
    private var delegate: OpaquePointer?
    private var interpreter: OpaquePointer?
    private let report: UnsafeMutablePointer<cl_tflite_report>
    private var input: TensorFlowLiteTensor?
    /// Its threads stay in the process that started them (F28).
    private let owner = getpid()

    /// Larger files are no model for this.
    private static let fileLimit = 256 << 20

    init(_ library: TensorFlowLiteLibrary, path: String, threads: Int) throws(ModelFault) {
        unsafe calls = library.calls
        unsafe report = .allocate(capacity: 1)
        unsafe report.initialize(to: cl_tflite_report())
        try read(path)
        try prepare(threads)
    }

    var inputShape: [Int] { input?.shape ?? [] }

    deinit {
        if let interpreter = unsafe interpreter { unsafe calls.pointee.destroy(interpreter) }
        if let delegate = unsafe delegate { unsafe calls.pointee.delete_delegate(delegate) }
        if let model = unsafe model { unsafe calls.pointee.delete_model(model) }
        if let bytes = unsafe bytes { unsafe bytes.deallocate() }
        unsafe report.deallocate()
    }

    func run(_ values: FloatTensor, outputs: [Int]) throws(ModelFault) -> [FloatTensor] {
        guard getpid() == owner else {
            throw ModelFault(
                .failed, message: "the model was loaded by the process that this one was forked from",
                remedy: "Load models after a fork.")
        }
        guard let input, let interpreter = unsafe interpreter else { preconditionFailure("loaded") }
        try input.write(values)
        unsafe report.pointee.text.0 = 0
        guard unsafe calls.pointee.invoke(interpreter) == 0 else {
            throw refused(.failed, "TensorFlow Lite could not run the model")
        }
        var results: [FloatTensor] = []
        for number in outputs { results.append(try output(number).read()) }
        return results
    }

    private func read(_ path: String) throws(ModelFault) {
        do throws(SystemError) {
            let content = try FileDescriptor(readingFile: path).readToEnd(limit: Self.fileLimit)
            guard content.count <= Self.fileLimit else { throw SystemError(.outputTooLarge, call: "read", path: path) }
            // the file format wants its buffers aligned as they are in the file
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 64)
            unsafe copy.copyBytes(from: content)
            unsafe bytes = copy
        } catch {
            throw ModelFault(.notReady, message: "the model cannot be read: \(error.message)", remedy: error.remedy)
        }
    }

    private func prepare(_ threads: Int) throws(ModelFault) {
        let table = unsafe calls.pointee
        guard let bytes = unsafe bytes, let start = bytes.baseAddress,
            let model = unsafe cl_tflite_create_model(calls, start, bytes.count, report)
        else { throw refused(.notReady, "the file is no model of TensorFlow Lite, or a damaged one") }
        unsafe self.model = model
        guard let options = unsafe table.create_options() else { throw refused(.notReady, "there is no memory for the model") }
        defer { unsafe table.delete_options(options) }
        unsafe table.set_threads(options, Int32(threads))
        unsafe cl_tflite_report_to(calls, options, report)
        if let made = unsafe cl_tflite_create_xnnpack(calls, Int32(threads)) {
            unsafe delegate = made
            unsafe table.add_delegate(options, made)
        }
        guard let interpreter = unsafe table.create(model, options) else {
            throw refused(.notReady, "TensorFlow Lite cannot use the model")
        }
        unsafe self.interpreter = interpreter
        guard unsafe table.allocate(interpreter) == 0 else {
            throw refused(.notReady, "TensorFlow Lite cannot prepare the model")
        }
        guard unsafe table.input_count(interpreter) == 1, let tensor = unsafe table.input(interpreter, 0) else {
            throw refused(.notReady, "the model has not exactly one input")
        }
        input = try unsafe TensorFlowLiteTensor(calls, tensor, name: "input")
        guard unsafe table.output_count(interpreter) > 0 else { throw refused(.notReady, "the model has no output") }
    }

    private func output(_ number: Int) throws(ModelFault) -> TensorFlowLiteTensor {
        guard let interpreter = unsafe interpreter, number >= 0,
            number < Int(unsafe calls.pointee.output_count(interpreter)),
            let tensor = unsafe calls.pointee.output(interpreter, Int32(number))
        else {
            throw ModelFault(
                .wrongShape, message: "the model has no output \(number)",
                remedy: "Install the model that the descriptor beside it was written for.")
        }
        return try unsafe TensorFlowLiteTensor(calls, tensor, name: "output \(number)")
    }

    private func refused(_ code: ModelFault.Code, _ sentence: String) -> ModelFault {
        let reported = unsafe withUnsafeBytes(of: report.pointee.text) { unsafe text(of: $0.map { CChar(bitPattern: $0) }) }
        return ModelFault(
            code, message: reported.isEmpty ? sentence : "\(sentence): \(reported)",
            remedy: "Install the model anew; make setup and the reference models bring theirs.")
    }
}
