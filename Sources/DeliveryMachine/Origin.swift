/// Scheme, host and port of an http or https address: who gets our credentials.
package struct Origin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    package let port: Int

    /// nil for another scheme, without a host, with a user name, or with a port that is none.
    package init?(_ url: String) {
        guard let separator = url.utf8.firstRange(of: "://".utf8) else { return nil }
        scheme = url[..<separator.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = url[separator.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.isEmpty, !authority.contains("@"), !authority.contains("\\") else { return nil }
        var name = authority
        var port = scheme == "https" ? 443 : 80
        let afterBracket = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[afterBracket...].lastIndex(of: ":") {
            let digits = authority[authority.index(after: colon)...]
            guard let number = UInt16(digits) else { return nil }
            port = Int(number)
            name = authority[..<colon]
        }
        guard !name.isEmpty, !Self.isOldNumber(name) else { return nil }
        host = name.lowercased()
        self.port = port
    }

    /// Forms such as `0x7f.1` and `2130706433`, which some resolvers take for an IPv4 address and others for a name.
    private static func isOldNumber(_ host: Substring) -> Bool {
        guard !host.hasPrefix("["), NetworkAddress(host) == nil else { return false }
        let last = host.split(separator: ".").last ?? host
        return last.first?.isNumber == true
            && (last.allSatisfy(\.isNumber)
                || (last.lowercased().hasPrefix("0x") && last.dropFirst(2).allSatisfy(\.isHexDigit)))
    }

    /// The host without the brackets of an IPv6 address.
    package var bareHost: String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }

    /// Names this machine itself, literally.
    package var isLoopbackHost: Bool { bareHost == "localhost" || NetworkAddress(bareHost)?.isLoopback == true }

    /// An address as it may be shown: what follows the path can be a secret.
    package static func withoutQuery(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }

    /// Resolves what a `Location` may hold against the address it answered: an absolute address, `//host/…`, `/path`, or a
    /// path beside the address. nil when the result is of another origin: credentials never leave theirs.
    package static func resolve(_ reference: String, against base: String) -> String? {
        guard let origin = Origin(base), !reference.isEmpty,
            reference.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        let start = base.utf8.firstRange(of: "://".utf8)!.upperBound
        let path = base[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? base.endIndex
        let address: String
        if Origin(reference) != nil {
            address = reference
        } else if reference.hasPrefix("//") {
            address = origin.scheme + ":" + reference
        } else if reference.contains("://") {
            return nil
        } else if reference.hasPrefix("/") {
            address = base[..<path] + reference
        } else {
            let bare = base[path...].prefix { $0 != "?" && $0 != "#" }
            let folder = bare.lastIndex(of: "/").map { bare[...$0] } ?? "/"
            address = base[..<path] + folder + reference
        }
        return Origin(address) == origin ? address : nil
    }
}
