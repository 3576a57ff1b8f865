import DecoderProtocol
import MediaChecks
import Synchronization
import SystemCalls

/// One decoder that runs. It is believed in nothing: once it has seen hostile bytes it may say anything. Whatever goes wrong kills it,
/// and it answers with the same refusal from then on. Letting go of it kills and reaps it.
final class DecoderProcess: Sendable {
    /// What it is started for; it loads what that needs and no more.
    enum Role: String {
        /// JPEG, PNG or WebP.
        case picture
        case heic
        case document
        case video

        init(_ type: MediaType) {
            switch type {
            case .jpeg, .png, .webp: self = .picture
            case .heic: self = .heic
            case .pdf: self = .document
            case .mp4, .mov: self = .video
            }
        }
    }

    private let socket: StreamSocket
    /// Its other end ends the decoder when this one is closed, by us or by the kernel.
    private let life: FileDescriptor
    /// Pictures are put there.
    let media: MemoryFile?
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var process: SpawnedProcess?
        var isReady = false
        /// Version of Landlock in force in it; 0: none.
        var landlock = 0
        var refusal: DecodingRefusal?
    }

    /// Starts it and does not wait for it.
    init(_ program: DecoderProgram, _ role: Role) throws(SystemError) {
        let pair = try StreamSocket.pair()
        let line = try Pipe()
        var descriptors = [pair.theirs.number, line.readEnd.number]
        let media: MemoryFile?
        switch role {
        case .picture, .heic, .document:
            let file = try MemoryFile()
            descriptors.append(file.reader.number)
            media = consume file
        case .video: media = nil
        }
        let nothing = try FileDescriptor(opening: "/dev/null", .write, followLinks: true)
        let process = try SpawnedProcess(
            path: program.path, arguments: [DecoderProgram.name, role.rawValue, "\(DecoderMessage.version)"],
            environment: Self.environment,
            descriptors: [nothing.number, nothing.number, nothing.number] + descriptors)
        self.media = media
        socket = pair.takeOurs()
        life = line.takeWriteEnd()
        state = Mutex(State(process: process))
    }

    /// Nothing of ours but where libraries lie: what a host keeps in its environment is not for a process that meets hostile bytes.
    private static var environment: [String] {
        ["LC_ALL=C"] + (EnvironmentVariable.value(of: "LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\($0)"] } ?? [])
    }

    /// The version of Landlock in force in it.
    var landlock: Int { state.withLock { $0.landlock } }

    /// Waits until it has locked itself down.
    func waitUntilReady(deadline: Int64) throws(DecodingRefusal) {
        if state.withLock({ $0.isReady }) { return }
        let message = try receive(deadline: deadline)
        guard message.kind == .ready, message.payloadCount == 0, message.values[0] == DecoderMessage.version,
            (0...1000).contains(message.values[1])
        else { throw fail(.unavailable("protocol")) }
        state.withLock {
            $0.isReady = true
            $0.landlock = Int(message.values[1])
        }
    }

    func send(_ message: DecoderMessage, _ payload: [UInt8] = [], deadline: Int64) throws(DecodingRefusal) {
        if let refusal = state.withLock({ $0.refusal }) { throw refusal }
        do throws(SystemError) {
            try socket.send(message.head.span, deadline: deadline)
            try socket.send(payload.span, deadline: deadline)
        } catch { throw fail(error) }
    }

    /// The head of its next message. A refusal that it states is thrown, and it goes on living.
    func receive(deadline: Int64) throws(DecodingRefusal) -> DecoderMessage {
        let head = try receive(count: DecoderMessage.headSize, deadline: deadline)
        guard let message = DecoderMessage(head: head) else { throw garbage() }
        if message.kind == .refused {
            guard message.payloadCount == 0, let refusal = DecodingRefusal(message) else { throw garbage() }
            throw refusal
        }
        return message
    }

    /// Exactly `count` bytes. The count is ours, or was compared with what is possible.
    func receive(count: Int, deadline: Int64) throws(DecodingRefusal) -> [UInt8] {
        if let refusal = state.withLock({ $0.refusal }) { throw refusal }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            do throws(SystemError) {
                let got = try socket.receive(into: &bytes, from: done, deadline: deadline)
                if got == 0 { throw SystemError(.other, call: "recv") }
                done += got
            } catch { throw fail(error) }
        }
        return bytes
    }

    /// It said what no decoder says.
    func garbage() -> DecodingRefusal { fail(.crashed("protocol")) }

    /// The socket failed: either time is up, or it is gone, and then how it ended says why.
    private func fail(_ error: SystemError) -> DecodingRefusal {
        if error.code == .timedOut { return fail(.limits("wall_clock")) }
        let refusal = state.withLock { state -> DecodingRefusal in
            var end: ChildProcess.End?
            do throws(SystemError) { end = try state.process?.wait(limitMilliseconds: 500) } catch {}
            return DecodingRefusal(end, isReady: state.isReady)
        }
        return fail(refusal)
    }

    private func fail(_ refusal: DecodingRefusal) -> DecodingRefusal {
        state.withLock { state in
            let cause: DecodingRefusal = !state.isReady && refusal.cause != .unavailable ? .unavailable("start") : refusal
            if state.refusal == nil { state.refusal = cause }
            state.process = nil
            return state.refusal!
        }
    }

    /// Kills and reaps it.
    func close() { _ = fail(.unavailable("closed")) }
}
