import SessionDomain

/// The settings for somebody who helps from outside: what is switched how, without a path, a name, a token or where an address leads to.
/// Only settings that were read without a complaint are shown: in others a secret may stand in any place.
struct SettingsOutline {
    let json: JSONValue
    /// Every text that was taken out, so that it can be kept out of other texts too.
    let removed: Set<String>

    /// Words of a fixed vocabulary, each refused by the reader when it is another.
    private static let words: Set<String> = [
        "kind", "media_rule", "minimum_tls", "http_version", "client_authentication", "metrics_mode", "piece", "status",
    ]
    private static let addresses: Set<String> = ["url", "status_url", "token_url", "proxy", "dead_man_url"]

    /// - Parameter bytes: of the file.
    init(_ bytes: [UInt8], environment: [String: String]) {
        do throws(SettingsProblem) {
            let json = try JSON5Reader.read(bytes)
            _ = try Settings(json: json, environment: environment)
            var removed: Set<String> = []
            self.json = Self.outline(json, key: "", &removed)
            self.removed = removed
        } catch {
            json = .members([.init("unreadable", .string(error.code.rawValue))])
            removed = []
        }
    }

    private static func outline(_ value: JSONValue, key: String, _ removed: inout Set<String>) -> JSONValue {
        switch value {
        case .null, .bool, .integer, .number: return value
        case .array(let values):
            return .array(values.map { outline($0, key: key, &removed) })
        case .object(let members):
            return .members(members.map { .init($0.key, outline($0.value, key: $0.key, &removed)) })
        case .string(let text):
            if words.contains(key) || (key == "checks" && text.allSatisfy(\.isLetter)) { return value }
            removed.insert(text)
            if addresses.contains(key), let place = place(text) { return .string(place) }
            return .members([.init("removed", .bool(true))])
        }
    }

    /// Scheme, host and port; what comes before and behind may be secret.
    private static func place(_ address: String) -> String? {
        guard let colon = address.firstRange(of: "://") else { return nil }
        let rest = address[colon.upperBound...].prefix { !"/?#".contains($0) }
        let host = rest.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return "\(address[..<colon.lowerBound])://\(host)/…"
    }
}
