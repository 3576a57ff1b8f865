import CSystem
import Glibc
import Synchronization

/// Bytes from the kernel's generator, getrandom(2). It cannot run dry once the machine is up; that it is missing is a broken
/// system, on which nothing may be sealed.
package enum SecureRandom {
    package static func bytes(_ count: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: count)
        var span = result.mutableSpan
        fill(&span)
        return result
    }

    package static func fill(_ bytes: inout MutableSpan<UInt8>) {
        unsafe bytes.withUnsafeMutableBytes { unsafe fill($0) }
    }

    /// 128 bits, for identifiers; not for keys, since what the next identifiers are made of waits in memory.
    package static func words() -> (UInt64, UInt64) {
        if let found = stock.withLockIfAvailable({ $0.take() }), let words = found { return words }
        var words: (UInt64, UInt64) = (0, 0)
        unsafe withUnsafeMutableBytes(of: &words) { unsafe fill($0) }
        return words
    }

    private static let stock = Mutex(Stock())

    /// Bits fetched ahead, so that not every identifier costs a call. The memory, with the count of what is left, is cleared in a child
    /// of fork(2): no identifier is made in both.
    @safe private struct Stock: ~Copyable {
        private static let byteCount = 4096
        private let memory = unsafe cl_memory_cleared_by_fork(Self.byteCount)

        /// - Returns: nil where the kernel has no such memory.
        mutating func take() -> (UInt64, UInt64)? {
            guard let memory = unsafe memory else { return nil }
            let pairs = unsafe memory.assumingMemoryBound(to: (UInt64, UInt64).self)
            var left = unsafe pairs[0].0
            if left == 0 {
                unsafe fill(UnsafeMutableRawBufferPointer(start: memory + 16, count: Self.byteCount - 16))
                left = UInt64(Self.byteCount / 16 - 1)
            }
            let taken = unsafe pairs[Int(left)]
            unsafe pairs[Int(left)] = (0, 0)
            unsafe pairs[0].0 = left - 1
            return taken
        }
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var done = 0
        while done < buffer.count {
            let count = unsafe cl_random(buffer.baseAddress! + done, buffer.count - done)
            if count > 0 { done += count } else if errno != EINTR { fatalError("getrandom(2) failed with errno \(errno)") }
        }
    }
}
