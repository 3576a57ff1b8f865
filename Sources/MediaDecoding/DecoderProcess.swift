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

    private let state: Mutex<State>

    private struct State: ~Copyable {
        var connection: Connection?
        var isReady = false
        /// Version of Landlock in force in it; 0: none.
        var landlock = 0
        var refusal: DecodingRefusal?
    }

    private struct Connection: ~Copyable {
        let socket: StreamSocket
        /// Its other end ends the decoder when this one is closed, by us or by the kernel.
        let life: FileDescriptor
        /// Pictures are put there.
        let media: MemoryFile?
        var process: SpawnedProcess
    }

    /// Starts it and does not wait for it.
    init(_ program: DecoderProgram, _ role: Role) throws(SystemError) {
        let pair = try StreamSocket.pair()
        let line = try Pipe()
        let nothing = try FileDescriptor(opening: "/dev/null", .write, followLinks: true)
        var descriptors = [nothing.number, nothing.number, nothing.number, pair.theirs.number, line.readEnd.number]
        let media: MemoryFile?
        switch role {
        case .picture, .heic, .document:
            let file = try MemoryFile()
            descriptors.append(file.reader.number)
            media = consume file
        case .video: media = nil
        }
        let process = try SpawnedProcess(
            path: program.path, arguments: [DecoderProgram.name, role.rawValue, "\(DecoderMessage.version)"],
            environment: Self.environment, descriptors: descriptors)
        let connection = Connection(
            socket: pair.takeOurs(), life: line.takeWriteEnd(), media: media, process: process)
        state = Mutex(State(connection: connection))
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

    /// Puts bytes where the decoder reads its picture.
    func append(_ bytes: Span<UInt8>) throws(DecodingRefusal) {
        try use(orFail: .unavailable("media")) { connection throws(SystemError) in try connection.media?.append(bytes) }
    }

    /// Nobody changes them any more.
    func seal() throws(DecodingRefusal) {
        try use(orFail: .unavailable("media")) { connection throws(SystemError) in try connection.media?.seal() }
    }

    func send(_ message: DecoderMessage, _ payload: [UInt8] = [], deadline: Int64) throws(DecodingRefusal) {
        try use { connection throws(SystemError) in
            try connection.socket.send(message.head.span, deadline: deadline)
            try connection.socket.send(payload.span, deadline: deadline)
        }
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
        var bytes = [UInt8](repeating: 0, count: count)
        try use { connection throws(SystemError) in
            var done = 0
            while done < count {
                let got = try connection.socket.receive(into: &bytes, from: done, deadline: deadline)
                if got == 0 { throw SystemError(.other, call: "recv") }
                done += got
            }
        }
        return bytes
    }

    /// A call that fails ends it: for the reason given, or for how it ended itself.
    private func use(
        orFail reason: DecodingRefusal? = nil, _ body: (borrowing Connection) throws(SystemError) -> Void
    ) throws(DecodingRefusal) {
        var failure: SystemError?
        let refusal = state.withLock { state -> DecodingRefusal? in
            switch state.connection {
            case .some(let connection): do throws(SystemError) { try body(connection) } catch { failure = error }
            case nil: break
            }
            return state.refusal
        }
        if let refusal { throw refusal }
        guard let failure else { return }
        if let reason { throw fail(reason) }
        throw fail(failure.code == .timedOut ? .limits("wall_clock") : reasonOfEnd())
    }

    /// It said what no decoder says.
    func garbage() -> DecodingRefusal { fail(.crashed("protocol")) }

    /// The socket is closed: its process ends in a moment, or pretends to.
    private func reasonOfEnd() -> DecodingRefusal {
        state.withLock { state in
            var end: ChildProcess.End?
            do throws(SystemError) { end = try state.connection?.process.wait(limitMilliseconds: 2000) ?? nil } catch {}
            return DecodingRefusal(end, isReady: state.isReady)
        }
    }

    /// Kills and reaps it, and keeps why.
    private func fail(_ reason: DecodingRefusal) -> DecodingRefusal {
        state.withLock { state in
            state.connection = nil
            if let refusal = state.refusal { return refusal }
            let refusal = state.isReady || reason.cause == .unavailable ? reason : .unavailable("start")
            state.refusal = refusal
            return refusal
        }
    }

    /// Kills and reaps it.
    func close() { _ = fail(.unavailable("closed")) }
}
