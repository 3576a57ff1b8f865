/// Float32 numbers as bytes in this machine's order, in one copy. Every machine that this runs on is little endian.
package enum FloatBytes {
    package static func bytes(of values: [Float]) -> [UInt8] {
        unsafe values.withUnsafeBytes { unsafe Array($0) }
    }

    package static func floats(of bytes: ArraySlice<UInt8>) -> [Float] { unsafe floats(of: bytes.span.bytes) }

    /// A remainder of fewer than four bytes is left out.
    package static func floats(of bytes: RawSpan) -> [Float] {
        let count = bytes.byteCount / 4
        return unsafe [Float](unsafeUninitializedCapacity: count) { buffer, filled in
            unsafe bytes.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: $0.prefix(4 * count)))
            }
            filled = count
        }
    }
}
