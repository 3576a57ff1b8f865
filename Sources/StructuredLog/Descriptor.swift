import Glibc

/// Writes a line and its newline. A log that cannot be written is not worth failing for: errors end the line in silence.
func writeLine(_ line: String, to descriptor: Int32) {
    var line = line
    line.append("\n")
    line.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)
        while let start = rest.baseAddress, unsafe !rest.isEmpty {
            let count = unsafe Glibc.write(descriptor, start, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                return
            }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }
}

extension Logger {
    /// Unix milliseconds of the machine's clock.
    package static let wallClock: @Sendable () -> Int64 = {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
