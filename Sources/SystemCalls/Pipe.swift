import CSystem
import Glibc

/// Two ends that no child inherits; see pipe2(2).
package struct Pipe: ~Copyable {
    package let readEnd: FileDescriptor
    package let writeEnd: FileDescriptor

    package init() throws(SystemError) {
        var ends: (Int32, Int32) = (-1, -1)
        let code = unsafe withUnsafeMutablePointer(to: &ends) {
            unsafe $0.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe cl_pipe($0) }
        }
        if code != 0 { throw SystemError(errno: Glibc.errno, call: "pipe2") }
        readEnd = FileDescriptor(owning: ends.0)
        writeEnd = FileDescriptor(owning: ends.1)
    }

    /// The other end is closed.
    package consuming func takeReadEnd() -> FileDescriptor { readEnd }
    package consuming func takeWriteEnd() -> FileDescriptor { writeEnd }
}

extension FileDescriptor {
    /// False when nothing came before `deadline` of the monotonic clock, in nanoseconds. The end of a pipe is readable.
    /// See poll(2).
    package borrowing func waitUntilReadable(deadline: Int64) throws(SystemError) -> Bool {
        while true {
            let left = max(0, deadline - SystemClock.monotonicNanoseconds())
            var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&entry, 1, Int32(clamping: (left + 999_999) / 1_000_000))
            if count > 0 { return true }
            if count == 0, SystemClock.monotonicNanoseconds() >= deadline { return false }
            if count < 0, Glibc.errno != EINTR { throw SystemError(errno: Glibc.errno, call: "poll") }
        }
    }
}
