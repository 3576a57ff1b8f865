import Glibc
import MediaChecks
import SystemCalls

/// A model in a process of its own, which is killed and reaped when this goes, or when it breaks the protocol.
final class ChildModel: RunnableModel {
    private let runMilliseconds: Int64
    private let memory: SharedMemory
    private let sharesMemory: Bool
    private let outputCount: Int
    let inputShape: [Int]
    private var connection: RunnerConnection?
    private let owner = getpid()

    init(_ runner: ChildRunner, _ model: String) throws(ModelFault) {
        runMilliseconds = runner.runMilliseconds
        let deadline = SystemClock.monotonicNanoseconds() + runner.loadMilliseconds * 1_000_000
        var connection: RunnerConnection
        do throws(SystemError) {
            memory = try SharedMemory(byteCount: ChildRunner.memoryBytes)
            connection = try RunnerConnection(path: runner.path, arguments: runner.arguments, memory: memory)
        } catch {
            throw ModelFault(
                .notReady, message: "the model runner's process cannot be started: \(error.message)", remedy: error.remedy)
        }
        do throws(RunnerFailure) {
            var hello = FrameWriter()
            hello.add(RunnerFrame.version)
            hello.add(UInt64(ChildRunner.memoryBytes))
            var ready = try connection.ask(.hello, hello.bytes, for: .ready, deadline: deadline)
            guard try ready.u32() == RunnerFrame.version else { throw .broken("it speaks another version of the protocol") }
            sharesMemory = try ready.count(limit: 1) == 1
            try ready.end()
            var loaded = try connection.ask(.load, Array(model.utf8), for: .loaded, deadline: deadline)
            outputCount = try loaded.count(limit: 64)
            inputShape = try loaded.shape()
            try loaded.end()
        } catch { throw Self.fault(error, orElse: .notReady) }
        self.connection = consume connection
    }

    var isUsable: Bool { connection != nil }

    func run(_ input: FloatTensor, outputs: [Int]) throws(ModelFault) -> [FloatTensor] {
        guard getpid() == owner else {
            throw Self.fault(.broken("it belongs to the process that this one was forked from"), orElse: .failed)
        }
        guard input.shape == inputShape else {
            throw Self.fault(
                .refused(.wrongShape, "the input has the shape \(inputShape), not \(input.shape)"), orElse: .wrongShape)
        }
        for number in outputs where !(0..<outputCount).contains(number) {
            throw Self.fault(.refused(.wrongShape, "there is no output \(number)"), orElse: .wrongShape)
        }
        guard var connection = connection.take() else { throw Self.fault(.broken("it broke before"), orElse: .failed) }
        do throws(RunnerFailure) {
            let results = try exchange(&connection, input, outputs)
            self.connection = consume connection
            return results
        } catch {
            // what broke stays taken out: its process ends here
            if case .refused = error { self.connection = consume connection }
            throw Self.fault(error, orElse: .failed)
        }
    }

    private func exchange(
        _ connection: inout RunnerConnection, _ input: FloatTensor, _ outputs: [Int]
    ) throws(RunnerFailure) -> [FloatTensor] {
        let deadline = SystemClock.monotonicNanoseconds() + runMilliseconds * 1_000_000
        let isShared = sharesMemory && memory.write(input.values, at: 0, limit: memory.byteCount / 2)
        var request = FrameWriter()
        request.add(outputs)
        request.add(input.shape)
        if isShared { request.add(0 as UInt64) } else { request.add(FloatBytes.bytes(of: input.values)) }
        var answer = try connection.ask(
            isShared ? .runShared : .run, request.bytes, for: isShared ? .resultShared : .result, deadline: deadline)
        guard try answer.count(limit: 64) == outputs.count else { throw .garbage }
        var results: [FloatTensor] = []
        for _ in outputs {
            let shape = try answer.shape()
            let count = elementCount(of: shape) ?? 0
            if isShared {
                guard let offset = Int(exactly: try answer.u64()), let values = memory.floats(at: offset, count: count) else {
                    throw .garbage
                }
                results.append(FloatTensor(shape: shape, values: values))
            } else {
                results.append(FloatTensor(shape: shape, values: FloatBytes.floats(of: try answer.take(4 * count))))
            }
        }
        try answer.end()
        return results
    }

    private static func fault(_ failure: RunnerFailure, orElse code: ModelFault.Code) -> ModelFault {
        switch failure {
        case .refused(let code, let reason):
            ModelFault(
                code, message: "the model runner's process refused: \(reason)", remedy: "Correct the program or the model.")
        case .broken(let reason):
            ModelFault(
                code, message: "the model runner's process failed: \(reason)",
                remedy:
                    "Correct the program; what it wrote to standard error may say more. It is started again by the next load.")
        }
    }
}
