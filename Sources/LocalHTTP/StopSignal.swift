import Glibc
import Synchronization

/// Tells everything that waits inside a server that the server stops.
package final class StopSignal: Sendable {
    /// Readable once it is raised.
    let readEnd: Int32
    private let writeEnd: Mutex<Int32>

    package init() {
        var ends: [Int32] = [-1, -1]
        unsafe ends.withUnsafeMutableBufferPointer { _ = unsafe pipe($0.baseAddress!) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        writeEnd = Mutex(ends[1])
    }

    deinit {
        raise()
        close(readEnd)
    }

    /// Wakes every waiter, now and from now on.
    package func raise() {
        writeEnd.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    package var isRaised: Bool { writeEnd.withLock { $0 < 0 } }

    /// Waits that long; false at once when the server stops meanwhile.
    package func wait(milliseconds: Int) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: .milliseconds(max(0, milliseconds)))
        while !isRaised {
            let left = end - clock.now
            guard left > .zero else { return true }
            let whole = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
            var entry = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&entry, 1, Int32(clamping: whole + 1))
        }
        return false
    }
}
