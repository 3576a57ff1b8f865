/// Lower-case hexadecimal text of bytes.
package enum Hex {
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        var units: [UInt8] = []
        append(bytes, to: &units)
        return String(decoding: units, as: UTF8.self)
    }

    package static func append(_ bytes: some Collection<UInt8>, to units: inout [UInt8]) {
        units.reserveCapacity(units.count + bytes.count * 2)
        func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10 }
        for byte in bytes {
            units.append(digit(byte >> 4))
            units.append(digit(byte & 15))
        }
    }

    /// nil for an odd count of digits or anything that is not a digit.
    package static func bytes(_ text: String) -> [UInt8]? {
        let units = Array(text.utf8)
        guard units.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(units.count / 2)
        for index in stride(from: 0, to: units.count, by: 2) {
            guard let high = Unicode.Scalar(units[index]).hexValue, let low = Unicode.Scalar(units[index + 1]).hexValue else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension Unicode.Scalar {
    fileprivate var hexValue: UInt8? {
        switch self {
        case "0"..."9": UInt8(value - 0x30)
        case "a"..."f": UInt8(value - 0x61 + 10)
        case "A"..."F": UInt8(value - 0x41 + 10)
        default: nil
        }
    }
}
