import CSystem
import Glibc

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

    /// 128 bits, for identifiers.
    package static func words() -> (UInt64, UInt64) {
        var words: (UInt64, UInt64) = (0, 0)
        unsafe withUnsafeMutableBytes(of: &words) { unsafe fill($0) }
        return words
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var done = 0
        while done < buffer.count {
            let count = unsafe cl_random(buffer.baseAddress! + done, buffer.count - done)
            if count > 0 { done += count } else if errno != EINTR { fatalError("getrandom(2) failed with errno \(errno)") }
        }
    }
}
