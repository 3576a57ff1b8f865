/// An IPv4 or IPv6 address, the first as its mapped form of the second (RFC 4291 §2.5.5.2). Pure: nothing is resolved.
package struct NetworkAddress: Hashable, Sendable {
    /// 16 of them.
    package let bytes: [UInt8]

    package init?(bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4: self.bytes = Self.mapped + bytes
        case 16: self.bytes = Array(bytes)
        default: return nil
        }
    }

    /// nil for anything but a literal address; brackets and a zone are not part of one.
    package init?(_ text: some StringProtocol) {
        let units = Array(text.utf8)
        guard (2...45).contains(units.count), let bytes = units.contains(0x3A) ? Self.six(units) : Self.four(units[...]) else {
            return nil
        }
        self.init(bytes: bytes)
    }

    package var isIPv4: Bool { bytes.starts(with: Self.mapped) }

    package var isLoopback: Bool {
        isIPv4 ? bytes[12] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// Not routed in public: loopback, private, link-local, shared, documentation, multicast, reserved, and every form of IPv6
    /// that carries one of them.
    package var isPrivate: Bool {
        if let inner = embedded { return inner.isPrivate }
        if isIPv4 { return Self.notPublicFour.contains { $0.contains(self) } }
        // only 2000::/3 is global unicast
        return bytes[0] & 0xE0 != 0x20 || Self.notPublicSix.contains { $0.contains(self) }
    }

    /// The IPv4 address that a translator or a tunnel would connect to: NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056), the
    /// IPv4-compatible form.
    private var embedded: NetworkAddress? {
        if isIPv4 { return nil }
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return NetworkAddress(bytes: bytes[12...]) }
        if bytes.starts(with: [0x20, 0x02]) { return NetworkAddress(bytes: bytes[2..<6]) }
        return nil
    }

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    private static let notPublicFour = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
    ].map { NetworkRange($0)! }

    /// Inside 2000::/3 and yet not somebody's server: Teredo and the benchmarking range.
    private static let notPublicSix = ["2001::/32", "2001:2::/48"].map { NetworkRange($0)! }
}

extension NetworkAddress {
    private static func four(_ units: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = units.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.count), part.count == 1 || part.first != 0x30,
                part.allSatisfy({ (0x30...0x39).contains($0) }), let byte = UInt8(String(decoding: part, as: UTF8.self))
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func six(_ units: [UInt8]) -> [UInt8]? {
        let text = String(decoding: units, as: UTF8.self)
        let halves = text.split(separator: "::", omittingEmptySubsequences: false).map(String.init)
        guard halves.count <= 2, let head = groups(halves[0]), let tail = groups(halves.count == 2 ? halves[1] : "") else {
            return nil
        }
        if halves.count == 1 { return head.count == 16 ? head : nil }
        guard head.count + tail.count <= 14 else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    private static func groups(_ text: String) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if part.contains("."), index == parts.count - 1, let four = four(Array(part.utf8)[...]) {
                bytes += four
                continue
            }
            guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
                let group = UInt16(part, radix: 16)
            else { return nil }
            bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
        return bytes.count <= 16 ? bytes : nil
    }
}

/// An address with the length of its prefix (RFC 4632), or one address alone.
package struct NetworkRange: Hashable, Sendable {
    private let address: NetworkAddress
    /// 0 to 128, of the mapped form.
    private let prefix: Int

    /// `10.0.0.5`, `10.0.0.0/8`, `fd00::/8`; nil for anything else, also for a prefix with bits of a host in it.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = NetworkAddress(parts[0]) else { return nil }
        self.address = address
        let isFour = !parts[0].contains(":")
        guard parts.count == 2 else {
            prefix = 128
            return
        }
        guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(parts[1]), length <= (isFour ? 32 : 128)
        else { return nil }
        prefix = isFour ? length + 96 : length
        for bit in prefix..<128 where address.bytes[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 { return nil }
    }

    package func contains(_ other: NetworkAddress) -> Bool {
        let whole = prefix / 8
        guard other.bytes[..<whole] == address.bytes[..<whole] else { return false }
        let rest = prefix % 8
        if rest == 0 { return true }
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> rest)
        return other.bytes[whole] & mask == address.bytes[whole] & mask
    }
}
