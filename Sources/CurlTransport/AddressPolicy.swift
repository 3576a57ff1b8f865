import DeliveryMachine
import Glibc

/// Where requests may go: plain http and private addresses only where the configuration names them literally.
struct AddressPolicy {
    private let origin: Origin?
    private let allowed: [String]
    private let usesProxy: Bool

    init(_ request: TransferRequest) {
        origin = Origin(request.url)
        allowed = request.settings.allowedAddresses
        usesProxy = request.settings.proxy != nil
    }

    var refusalBeforeResolution: DeliveryFault? {
        guard let origin else {
            return DeliveryFault(
                .configuration, message: "The destination's address is not an http or https address.",
                remedy: "Write it as https://host/path in capture-ledger.json5.")
        }
        if origin.scheme == "http", !namesLoopback, !allowed.contains(bareHost) {
            return DeliveryFault(
                .addressRefused, message: "Plain http is refused: captures would travel unprotected.",
                remedy: "Use https, or list the literal address under the destination's allow_addresses.")
        }
        return nil
    }

    /// - Parameter socketAddress: the bytes of a `sockaddr`.
    func refusal(family: Int32, socketAddress: [UInt8]) -> DeliveryFault? {
        if usesProxy { return nil }
        guard let address = IPAddress(family: family, socketAddress: socketAddress) else { return Self.refused }
        if !address.isPrivate || (namesLoopback && address.isLoopback) { return nil }
        return allowed.contains { IPAddress($0) == address } ? nil : Self.refused
    }

    private var bareHost: String {
        guard let host = origin?.host else { return "" }
        return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }

    private var namesLoopback: Bool { bareHost == "localhost" || IPAddress(bareHost)?.isLoopback == true }

    private static let refused = DeliveryFault(
        .addressRefused, message: "The destination's name resolves to a private address.",
        remedy: "If that is meant, list the literal address under the destination's allow_addresses.")
}

/// An IPv4 or IPv6 address, the first as its mapped form of the second.
struct IPAddress: Hashable {
    private let bytes: [UInt8]

    /// nil for anything but a literal address.
    init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            bytes = unsafe Self.prefix + withUnsafeBytes(of: &four) { unsafe Array($0) }
        } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
            bytes = unsafe withUnsafeBytes(of: &six) { unsafe Array($0) }
        } else {
            return nil
        }
    }

    /// The address at its offset in a `sockaddr_in` or `sockaddr_in6`.
    init?(family: Int32, socketAddress: [UInt8]) {
        if family == AF_INET, socketAddress.count >= 8 {
            bytes = Self.prefix + socketAddress[4..<8]
        } else if family == AF_INET6, socketAddress.count >= 24 {
            bytes = Array(socketAddress[8..<24])
        } else {
            return nil
        }
    }

    private static let prefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    var isLoopback: Bool {
        bytes.starts(with: Self.prefix) ? bytes[12] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// Not routed in public: loopback, private, link-local, shared, multicast, reserved, and what embeds one of them.
    var isPrivate: Bool {
        if bytes.starts(with: Self.prefix) || bytes.starts(with: Self.translated) {
            let (a, b) = (bytes[12], bytes[13])
            return a == 0 || a == 10 || a == 127 || a >= 224 || (a == 100 && (64..<128).contains(b)) || (a == 169 && b == 254)
                || (a == 172 && (16..<32).contains(b)) || (a == 192 && b == 168) || (a == 192 && b == 0 && bytes[14] == 0)
                || (a == 198 && (18...19).contains(b))
        }
        return bytes[0] & 0xE0 != 0x20  // only 2000::/3 is global unicast
    }

    /// 64:ff9b::/96, RFC 6052.
    private static let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
}
