import Glibc
import MediaChecks
import SystemCalls

/// A model runner's process and the socket to it. A request is answered before the next one is sent.
struct RunnerConnection: ~Copyable {
    private let socket: StreamSocket
    private var process: SpawnedProcess
    private var lastNumber: UInt32 = 0

    /// - Parameter memory: what the process finds as descriptor 3.
    init(path: String, arguments: [String], memory: borrowing SharedMemory) throws(SystemError) {
        let pair = try StreamSocket.pair()
        process = try SpawnedProcess(
            path: path, arguments: [path] + arguments,
            descriptors: [pair.theirs.number, pair.theirs.number, STDERR_FILENO, memory.file.number])
        socket = pair.takeOurs()
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Parameter deadline: nanoseconds of the monotonic clock, for both.
    mutating func ask(
        _ kind: RunnerFrame.Kind, _ body: [UInt8], for answer: RunnerFrame.Kind, deadline: Int64
    ) throws(RunnerFailure) -> FrameReader {
        lastNumber &+= 1
        var message = FrameWriter()
        message.add(kind.rawValue)
        message.add(lastNumber)
        message.add(UInt64(body.count))
        message.add(body)
        do throws(SystemError) { try socket.send(message.bytes.span, deadline: deadline) } catch { throw failure(error) }

        var header = FrameReader(try receive(RunnerFrame.headerLength, deadline))
        let (answered, number, length) = (try header.u32(), try header.u32(), try header.u64())
        guard number == lastNumber, length <= RunnerFrame.bodyLimit else { throw .garbage }
        let bytes = try receive(Int(length), deadline)
        switch RunnerFrame.Kind(rawValue: answered) {
        case answer: return FrameReader(bytes)
        case .error: throw try refusal(bytes)
        default: throw .garbage
        }
    }

    /// How it ended, where it has; it is killed and reaped in any case when this goes.
    private mutating func failure(_ error: SystemError) -> RunnerFailure {
        if error.code == .timedOut { return .broken("it did not answer in time") }
        switch try? process.wait(limitMilliseconds: 1000) {
        case .exited(let status): return .broken("it ended with status \(status)")
        case .signalled(let signal): return .broken("signal \(signal) ended it")
        case nil: return .broken("it closed its end of the socket")
        }
    }

    private mutating func receive(_ count: Int, _ deadline: Int64) throws(RunnerFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            do throws(SystemError) {
                let more = try socket.receive(into: &bytes, from: done, deadline: deadline)
                if more == 0 { throw SystemError(errno: EPIPE, call: "recv") }
                done += more
            } catch { throw failure(error) }
        }
        return bytes
    }

    private func refusal(_ bytes: [UInt8]) throws(RunnerFailure) -> RunnerFailure {
        var body = FrameReader(bytes)
        let code: ModelFault.Code =
            switch try body.u32() {
            case 1: .notReady
            case 2: .wrongShape
            case 3: .failed
            default: throw .garbage
            }
        return .refused(code, text(of: body.rest().prefix(200).map { CChar(bitPattern: $0) }))
    }
}
