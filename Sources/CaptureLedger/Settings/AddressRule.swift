import DeliveryMachine

/// Which addresses the settings may name. What a name resolves to is judged by the transport when it connects.
struct AddressRule {
    /// - Parameter allowed: the destination's `allow_addresses`.
    static func check(_ url: String, at place: String, allowed: [String]) throws(SettingsProblem) {
        guard let origin = origin(url) else {
            throw SettingsProblem(
                .addressRefused, at: place, "The setting \(place) is not an http or https address without a user name.",
                remedy: "Write it as https://host/path.")
        }
        if origin.isLoopbackHost || isAllowed(origin, allowed) { return }
        guard origin.scheme == "https" else {
            throw SettingsProblem(
                .addressRefused, at: place, "The setting \(place) uses plain http: captures would travel unprotected.",
                remedy: "Use https, or list the host in the destination's allow_addresses.")
        }
        guard NetworkAddress(origin.bareHost)?.isPrivate != true else { throw isPrivate(place) }
    }

    /// A proxy may speak plain http: what goes through it to an https endpoint is protected all the way.
    static func checkProxy(_ url: String, at place: String, allowed: [String]) throws(SettingsProblem) {
        guard let origin = origin(url), url.hasSuffix(":\(origin.port)") || url.hasSuffix(":\(origin.port)/") else {
            throw SettingsProblem(
                .addressRefused, at: place,
                "The setting \(place) is not a proxy's http or https address with its port and without a user name.",
                remedy: "Write it as http://host:port, and its user and password into proxy_credential_file.")
        }
        if origin.isLoopbackHost || isAllowed(origin, allowed) { return }
        guard NetworkAddress(origin.bareHost)?.isPrivate != true else { throw isPrivate(place) }
    }

    /// Hosts, literal addresses, or ranges of them.
    static func checkAllowed(_ list: [String], at place: String) throws(SettingsProblem) {
        for text in list where NetworkRange(text) == nil {
            let isHost =
                !text.isEmpty && text.utf8.count <= 253
                && text.utf8.allSatisfy { unit in
                    unit == 0x2D || unit == 0x2E || unit == 0x5F || (0x30...0x39).contains(unit) || (0x61...0x7A).contains(unit)
                        || (0x41...0x5A).contains(unit)
                }
            let isNumber = text.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
            guard isHost, !isNumber else {
                throw SettingsProblem(
                    .unknownName, at: place, "The setting \(place) holds something that is no address and no range.",
                    remedy: "Write addresses such as \"10.0.0.5\" or ranges such as \"10.0.0.0/8\" and \"fd00::/8\".")
            }
        }
    }

    private static func origin(_ url: String) -> Origin? {
        url.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? Origin(url) : nil
    }

    private static func isAllowed(_ origin: Origin, _ allowed: [String]) -> Bool {
        if allowed.contains(origin.bareHost) { return true }
        guard let address = NetworkAddress(origin.bareHost) else { return false }
        return allowed.contains { NetworkRange($0)?.contains(address) == true }
    }

    private static func isPrivate(_ place: String) -> SettingsProblem {
        SettingsProblem(
            .addressRefused, at: place, "The setting \(place) names a private address.",
            remedy: "If that is meant, list it in the destination's allow_addresses.")
    }
}
