extension DecoderMessage {
    /// "CLD" and the version of the head's form.
    private static let mark: UInt32 = 0x0144_4C43

    /// The head as it is sent.
    package var head: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headSize)
        Self.append(UInt64(Self.mark) | UInt64(kind.rawValue) << 32, to: &bytes)
        for value in values { Self.append(UInt64(bitPattern: value), to: &bytes) }
        Self.append(UInt64(payloadCount), to: &bytes)
        return bytes
    }

    /// Nil for anything that is no head: another mark, a kind that does not exist, a length beyond what memory can have.
    package init?(head bytes: [UInt8]) {
        guard bytes.count == Self.headSize else { return nil }
        let first = Self.number(bytes, 0)
        guard UInt32(truncatingIfNeeded: first) == Self.mark, let kind = Kind(rawValue: UInt32(first >> 32)) else { return nil }
        var values: [Int64] = []
        for index in 1...Self.valueCount { values.append(Int64(bitPattern: Self.number(bytes, index))) }
        guard let count = Int(exactly: Self.number(bytes, Self.valueCount + 1)) else { return nil }
        self.init(kind, values, payloadCount: count)
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(shift)))) }
    }

    private static func number(_ bytes: [UInt8], _ index: Int) -> UInt64 {
        var number: UInt64 = 0
        for place in 0..<8 { number |= UInt64(bytes[8 * index + place]) << (8 * UInt64(place)) }
        return number
    }
}
