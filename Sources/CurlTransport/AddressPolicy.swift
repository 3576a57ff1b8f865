import DeliveryMachine
import Glibc

/// Where a request may go: plain http and private addresses only where the configuration names them.
///
/// What counts is the address that a connection is made to, so a name that resolves to a private one is refused, whichever of
/// its addresses is tried. Behind a proxy that address is the proxy's; the endpoint's name is resolved by the proxy.
struct AddressPolicy {
    let origin: Origin?
    private let url: String
    private let proxyURL: String?
    private let allowed: [String]
    private let proxy: Origin?
    private let hosts: Set<String>
    private let ranges: [NetworkRange]
    private(set) var refusalBeforeResolution: DeliveryFault?

    init(_ request: TransferRequest) {
        url = request.url
        proxyURL = request.settings.proxy
        allowed = request.settings.allowedAddresses
        origin = Origin(url)
        proxy = proxyURL.flatMap { Origin($0) }
        hosts = Set(allowed)
        ranges = allowed.compactMap { NetworkRange($0) }
        refusalBeforeResolution = beforeResolution
    }

    /// Whether it is this request's too: those of one destination, one after the other, share it.
    func holds(for request: TransferRequest) -> Bool {
        url == request.url && proxyURL == request.settings.proxy && allowed == request.settings.allowedAddresses
    }

    private var usesProxy: Bool { proxyURL != nil }

    private var beforeResolution: DeliveryFault? {
        guard let origin else {
            return DeliveryFault(
                .configuration, message: "The destination's address is not an http or https address.",
                remedy: "Write it as https://host/path in capture-ledger.json5.")
        }
        if usesProxy, proxy == nil {
            return DeliveryFault(
                .configuration, message: "The proxy's address is not an http or https address.",
                remedy: "Write it as http://host:port, and its user and password into proxy_credential_file.")
        }
        if origin.scheme == "http", !origin.isLoopbackHost, !allows(origin) {
            return DeliveryFault(
                .addressRefused, message: "Plain http is refused: captures would travel unprotected.",
                remedy: "Use https, or list the literal address under the destination's allow_addresses.")
        }
        // through a proxy this is the last look at it
        if let address = NetworkAddress(origin.bareHost), address.isPrivate, !origin.isLoopbackHost, !allows(address) {
            return Self.refused
        }
        return nil
    }

    /// - Parameter socketAddress: the bytes of a `sockaddr`.
    func refusal(family: Int32, socketAddress: [UInt8]) -> DeliveryFault? {
        let address =
            switch family {
            case AF_INET where socketAddress.count >= 8: NetworkAddress(bytes: socketAddress[4..<8])
            case AF_INET6 where socketAddress.count >= 24: NetworkAddress(bytes: socketAddress[8..<24])
            default: NetworkAddress?.none
            }
        guard let address else { return Self.refused }
        return refusal(of: address)
    }

    /// - Parameter text: the address of a connection that stands.
    func refusal(connectedTo text: String) -> DeliveryFault? {
        guard let address = NetworkAddress(text.prefix { $0 != "%" }) else { return Self.refused }
        return refusal(of: address)
    }

    private func refusal(of address: NetworkAddress) -> DeliveryFault? {
        guard address.isPrivate else { return nil }
        if address.isLoopback, (usesProxy ? proxy : origin)?.isLoopbackHost == true { return nil }
        if allows(address) { return nil }
        return usesProxy ? Self.proxyRefused : Self.refused
    }

    private func allows(_ origin: Origin) -> Bool {
        hosts.contains(origin.bareHost) || NetworkAddress(origin.bareHost).map(allows) ?? false
    }

    private func allows(_ address: NetworkAddress) -> Bool { ranges.contains { $0.contains(address) } }

    private static let refused = DeliveryFault(
        .addressRefused, message: "The destination's name resolves to a private address.",
        remedy: "If that is meant, list the literal address under the destination's allow_addresses.")

    private static let proxyRefused = DeliveryFault(
        .addressRefused, message: "The proxy has a private address.",
        remedy: "If that is meant, list its literal address under the destination's allow_addresses.")
}
