import Glibc

/// An address and a port in the form that the kernel takes.
struct SocketAddress {
    private var storage = sockaddr_storage()
    let isIPv6: Bool

    init(_ text: String, port: UInt16) throws(HTTPServerError) {
        var four = in_addr()
        var six = in6_addr()
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            isIPv6 = false
            let address = sockaddr_in(
                sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian, sin_addr: four, sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: address, as: sockaddr_in.self) }
        } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
            isIPv6 = true
            let address = sockaddr_in6(
                sin6_family: sa_family_t(AF_INET6), sin6_port: port.bigEndian, sin6_flowinfo: 0, sin6_addr: six,
                sin6_scope_id: 0)
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: address, as: sockaddr_in6.self) }
        } else {
            throw HTTPServerError(
                code: .addressInvalid, message: "The address to listen on is neither IPv4 nor IPv6.",
                remedy: "Write it as a number, for instance 127.0.0.1 or ::1.")
        }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        unsafe withUnsafePointer(to: storage) { whole in
            unsafe whole.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
        }
    }
}
