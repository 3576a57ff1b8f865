import CCurl
import Glibc

/// The sockets that libcurl holds open for one transport, so that one can be looked at before it is used again.
///
/// libcurl 7.88.1 takes a kept connection that has something to read for a healthy one (measured): what a server sent beyond
/// its last answer, such as a timeout's 408 or an answer sent twice, would be read as the answer to the next request.
@safe final class OpenSockets {
    /// Each with its port on this side, 0 until that was asked for.
    private var ports: [curl_socket_t: Int32] = [:]

    func insert(_ socket: curl_socket_t) { ports[socket] = 0 }
    func remove(_ socket: curl_socket_t) { ports[socket] = nil }

    /// Whether anything arrived that nobody asked for, the end of the connection included.
    func hasInput(localPort: Int32) -> Bool {
        for (number, known) in ports where known == localPort || known == 0 {
            if known == 0 {
                let port = Self.port(of: number) ?? 0
                ports[number] = port
                guard port == localPort else { continue }
            }
            var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&entry, 1, 0) > 0 { return true }
        }
        return false
    }

    private static func port(of number: curl_socket_t) -> Int32? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(number, $0, &length) } == 0
        }
        guard isKnown else { return nil }
        // the port has the same place in sockaddr_in and sockaddr_in6
        return unsafe withUnsafeBytes(of: &address) { bytes in unsafe Int32(bytes[2]) << 8 | Int32(bytes[3]) }
    }
}
