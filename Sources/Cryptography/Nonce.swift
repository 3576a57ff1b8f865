/// 12 bytes that are used once with a key.
package struct Nonce: Sendable {
    package static let byteCount = 12

    let bytes: InlineArray<12, UInt8>

    /// Only with a key that seals one thing.
    package static let zero = Nonce(bytes: InlineArray(repeating: 0))

    init(bytes: InlineArray<12, UInt8>) { self.bytes = bytes }

    /// Nil unless there are 12.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var result = InlineArray<12, UInt8>(repeating: 0)
        for index in 0..<Self.byteCount { result[index] = bytes[bytes.startIndex + index] }
        self.bytes = result
    }

    package init?(_ bytes: [UInt8]) { self.init(bytes[...]) }

    /// The same of any other collection.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var result = InlineArray<12, UInt8>(repeating: 0)
        var index = 0
        for byte in bytes {
            result[index] = byte
            index += 1
        }
        self.bytes = result
    }

    /// The nonce of a chunk in a stream: seven zero bytes, the chunk's number, and whether it is the last (STREAM of Hoang,
    /// Reyhanitabar, Rogaway and Vizár 2015).
    init(chunk: UInt32, isLast: Bool) {
        var result = InlineArray<12, UInt8>(repeating: 0)
        for index in 0..<4 { result[7 + index] = UInt8(truncatingIfNeeded: chunk >> UInt32(24 - 8 * index)) }
        result[11] = isLast ? 1 : 0
        bytes = result
    }
}
