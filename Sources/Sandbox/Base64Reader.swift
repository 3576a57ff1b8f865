/// Decodes canonical base64 (RFC 4648 §4: standard alphabet, padded, unused bits zero) into a digest as it streams in.
struct Base64Reader: Sendable {
    private(set) var digest = SHA256()
    private(set) var bytes = 0
    private(set) var isValid = true
    private var accumulated: UInt32 = 0
    private var digits = 0
    private var padding = 0

    mutating func append(_ unit: UInt8) {
        guard isValid else { return }
        let value: UInt32
        switch unit {
        case 65...90: value = UInt32(unit &- 65)
        case 97...122: value = UInt32(unit &- 71)
        case 48...57: value = UInt32(unit &+ 4)
        case 43: value = 62
        case 47: value = 63
        case 61 where digits >= 2:
            value = 0
            padding += 1
        default:
            isValid = false
            return
        }
        if padding > 0, unit != 61 {
            isValid = false
            return
        }
        accumulated = accumulated &<< 6 | value
        digits &+= 1
        if digits == 4 { endGroup() }
    }

    private mutating func endGroup() {
        let count = 3 - padding
        if padding > 0 {
            // the bits that no byte uses must be zero, else two texts would mean the same bytes
            let unused: UInt32 = padding == 1 ? 0xFF : 0xFFFF
            if accumulated & unused != 0 { isValid = false }
        }
        digest.append(UInt8(truncatingIfNeeded: accumulated &>> 16))
        if count > 1 { digest.append(UInt8(truncatingIfNeeded: accumulated &>> 8)) }
        if count > 2 { digest.append(UInt8(truncatingIfNeeded: accumulated)) }
        bytes &+= count
        accumulated = 0
        // after padding nothing may follow: the count of digits stays where '=' and all else is refused
        digits = padding > 0 ? Int.min : 0
    }

    /// Whole groups, at least one byte.
    var isComplete: Bool { isValid && bytes > 0 && (digits == 0 || padding > 0 && digits < 0) }
}
