extension OutputSpan<UInt8> {
    /// Copies `bytes` behind what is there; there must be room for them.
    package mutating func append(_ bytes: Span<UInt8>) {
        precondition(freeCapacity >= bytes.count, "no room for so many bytes")
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            unsafe bytes.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                    .copyMemory(from: source)
            }
            count += bytes.count
        }
    }
}
