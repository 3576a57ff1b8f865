import CSystem
import Glibc

/// One end of a connected pair. Nothing waits beyond a deadline, and a peer that is gone is an error, never a signal. See unix(7).
package struct StreamSocket: ~Copyable, Sendable {
    private let socket: FileDescriptor

    private init(owning socket: consuming FileDescriptor) { self.socket = socket }

    /// A socket and the descriptor of its peer, which a child can inherit.
    package static func pair() throws(SystemError) -> StreamSocketPair {
        var ends: (Int32, Int32) = (-1, -1)
        let code = unsafe withUnsafeMutablePointer(to: &ends) {
            unsafe $0.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe cl_socket_pair($0) }
        }
        if code != 0 { throw SystemError(errno: Glibc.errno, call: "socketpair") }
        return StreamSocketPair(
            ours: StreamSocket(owning: FileDescriptor(owning: ends.0)), theirs: FileDescriptor(owning: ends.1))
    }

    /// Sends all of it; see send(2).
    ///
    /// - Parameter deadline: nanoseconds of the monotonic clock.
    /// - Throws: `timed_out`; `EPIPE` when the peer is gone. An unknown part was sent then.
    package borrowing func send(_ bytes: Span<UInt8>, deadline: Int64) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            try Self.check(deadline, "send")
            let result = unsafe bytes.withUnsafeBytes { buffer -> Int in
                let count = unsafe cl_send(socket.number, buffer.baseAddress! + done, buffer.count - done)
                return count >= 0 ? count : -Int(Glibc.errno)
            }
            if result >= 0 { done += result } else { try wait(after: Int32(-result), for: POLLOUT, "send", deadline) }
        }
    }

    /// Up to `bytes.count - start` bytes into `bytes` from `start` on; 0 when the peer is gone and all it sent is read. See recv(2).
    package borrowing func receive(into bytes: inout [UInt8], from start: Int, deadline: Int64) throws(SystemError) -> Int {
        while true {
            try Self.check(deadline, "recv")
            let result = unsafe bytes.withUnsafeMutableBytes { buffer -> Int in
                let count = unsafe cl_receive(socket.number, buffer.baseAddress! + start, buffer.count - start)
                return count >= 0 ? count : -Int(Glibc.errno)
            }
            if result >= 0 { return result }
            try wait(after: Int32(-result), for: POLLIN, "recv", deadline)
        }
    }

    /// Also where nothing has to be waited for: a peer that never stops talking does not hold anyone beyond the deadline.
    private static func check(_ deadline: Int64, _ call: String) throws(SystemError) {
        if SystemClock.monotonicNanoseconds() >= deadline { throw SystemError(.timedOut, call: call) }
    }

    private borrowing func wait(
        after code: Int32, for events: Int32, _ call: String, _ deadline: Int64
    ) throws(SystemError) {
        if code == EINTR { return }
        if code != EAGAIN { throw SystemError(errno: code, call: call) }
        let left = max(0, deadline - SystemClock.monotonicNanoseconds())
        var entry = pollfd(fd: socket.number, events: Int16(events), revents: 0)
        if unsafe poll(&entry, 1, Int32(clamping: (left + 999_999) / 1_000_000)) < 0, Glibc.errno != EINTR {
            throw SystemError(errno: Glibc.errno, call: "poll")
        }
    }
}

package struct StreamSocketPair: ~Copyable {
    private let ours: StreamSocket
    package let theirs: FileDescriptor

    fileprivate init(ours: consuming StreamSocket, theirs: consuming FileDescriptor) {
        self.ours = ours
        self.theirs = theirs
    }

    /// The other end is closed here; a child that inherited it has it still.
    package consuming func takeOurs() -> StreamSocket { ours }
}
