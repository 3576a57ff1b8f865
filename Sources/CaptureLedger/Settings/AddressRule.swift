import DeliveryMachine

/// Which addresses the settings may name. What a name resolves to is judged by the transport when it connects.
struct AddressRule {
    /// - Parameter allowed: the destination's `allow_addresses`.
    static func check(_ url: String, at place: String, allowed: [String]) throws(SettingsProblem) {
        guard let origin = Origin(url), url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SettingsProblem(
                .addressRefused, at: place, "The setting \(place) is not an http or https address without a user name.",
                remedy: "Write it as https://host/path.")
        }
        let host = origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host
        if isLoopback(host) || allowed.contains(host) { return }
        guard origin.scheme == "https" else {
            throw SettingsProblem(
                .addressRefused, at: place, "The setting \(place) uses plain http: captures would travel unprotected.",
                remedy: "Use https, or list the host in the destination's allow_addresses.")
        }
        guard !isPrivate(host) else {
            throw SettingsProblem(
                .addressRefused, at: place, "The setting \(place) names a private address.",
                remedy: "If that is meant, list it in the destination's allow_addresses.")
        }
    }

    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || fourNumbers(host)?.first == 127
    }

    /// Literal addresses that are not routed in public.
    static func isPrivate(_ host: String) -> Bool {
        if host.contains(":") {
            return !(host.hasPrefix("2") || host.hasPrefix("3"))
                || host.firstIndex(of: ":").map { host[..<$0].count < 4 } ?? true
        }
        guard let numbers = fourNumbers(host) else { return false }
        return switch (numbers[0], numbers[1]) {
        case (0, _), (10, _), (127, _), (224..., _): true
        case (100, 64..<128), (169, 254), (172, 16..<32), (192, 168), (198, 18...19): true
        default: false
        }
    }

    private static func fourNumbers(_ host: String) -> [UInt8]? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let numbers = parts.compactMap { UInt8($0) }
        return numbers.count == 4 ? numbers : nil
    }
}
