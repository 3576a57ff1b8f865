import Dispatch
import Glibc
import Synchronization

/// An endpoint on loopback that costs as little as one can that reads every byte: one thread, one buffer, no copy kept. It names
/// the capture in its answer, so that the answer is a valid one.
package final class DiscardingServer: Sendable {
    /// What arrived since it was asked last.
    package struct Counts: Sendable {
        package var connections = 0
        package var requests = 0
        package var bodyBytes: Int64 = 0
    }

    package let port: UInt16
    private let stopSignal = StopSignal()
    private let ended = DispatchSemaphore(value: 0)
    private let counts = Mutex(Counts())

    /// Listens at once.
    ///
    /// - Throws: `cannot_listen`.
    package init() throws(HTTPServerError) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        port = try Self.listen(listener)
        let loop = Loop(listener: listener, stopped: stopSignal.readEnd)
        DispatchQueue(label: "capture-ledger.discarding").async { [self] in
            loop.run { change in counts.withLock { change(&$0) } }
            ended.signal()
        }
    }

    /// The counts, which begin anew.
    package func takeCounts() -> Counts {
        counts.withLock { counts in
            defer { counts = Counts() }
            return counts
        }
    }

    /// Ends every connection and the thread.
    package func stop() {
        stopSignal.raise()
        ended.wait()
    }

    private static func listen(_ listener: Int32) throws(HTTPServerError) -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, length) == 0 && Glibc.listen(listener, 256) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard code else {
            throw HTTPServerError(
                code: .cannotListen, message: "Cannot listen on 127.0.0.1: \(lastSystemError()).",
                remedy: "Allow one more socket on loopback.")
        }
        return UInt16(bigEndian: address.sin_port)
    }
}

/// The server's one thread.
private final class Loop: @unchecked Sendable {
    private let listener: Int32
    private let stopped: Int32
    private var connections: [DiscardingConnection] = []
    private var buffer = [UInt8](repeating: 0, count: 512 << 10)

    init(listener: Int32, stopped: Int32) {
        self.listener = listener
        self.stopped = stopped
    }

    deinit { close(listener) }

    func run(_ count: ((inout DiscardingServer.Counts) -> Void) -> Void) {
        while true {
            var entries = [stopped, listener].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            entries += connections.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
            guard unsafe poll(&entries, nfds_t(entries.count), -1) >= 0 || errno == EINTR else { return }
            if entries[0].revents != 0 { return }
            var closed: [Int] = []
            for index in connections.indices where entries[index + 2].revents != 0 {
                switch connections[index].receive(&buffer) {
                case .went(let requests, let bytes):
                    count {
                        $0.requests += requests
                        $0.bodyBytes += Int64(bytes)
                    }
                case .ended: closed.append(index)
                }
            }
            for index in closed.reversed() { connections.remove(at: index) }
            if entries[1].revents != 0 {
                let number = accept(listener, nil, nil)
                if number >= 0 {
                    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
                    connections.append(DiscardingConnection(number))
                    count { $0.connections += 1 }
                }
            }
        }
    }
}
