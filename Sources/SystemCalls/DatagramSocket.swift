import CSystem
import Glibc

/// Sends single messages to a Unix socket, such as a service manager's; see unix(7).
package struct DatagramSocket: ~Copyable, Sendable {
    private let socket: FileDescriptor
    private let address: [UInt8]

    /// - Parameter address: a path, or `@name` for a socket in the abstract namespace.
    /// - Throws: `not_found` for anything else.
    package init(to address: String) throws(SystemError) {
        guard address.hasPrefix("/") || address.hasPrefix("@"), (2...107).contains(address.utf8.count) else {
            throw SystemError(errno: ENOENT, call: "connect")
        }
        let number = cl_datagram_socket()
        if number < 0 { throw SystemError(errno: Glibc.errno, call: "socket") }
        socket = FileDescriptor(owning: number)
        var bytes = Array(address.utf8)
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        self.address = bytes
    }

    /// Never waits: a receiver that is full loses the message. See sendto(2).
    package borrowing func send(_ message: String) throws(SystemError) {
        let bytes = Array(message.utf8)
        let sent = unsafe cl_send_datagram(socket.number, address, address.count, bytes, bytes.count)
        if sent < 0 { throw SystemError(errno: Glibc.errno, call: "sendto") }
    }
}
