/// A row in the canonical encoding of `docs/storage-format.md`: what is hashed, and what is bound, are the same bytes. Their memory is
/// used again for the next row.
@safe package struct RowBytes: ~Copyable {
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    package private(set) var count = 0

    package init(reserving capacity: Int = 1024) {
        self.capacity = max(64, capacity)
        unsafe memory = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { unsafe memory.deallocate() }

    /// A copy.
    package var bytes: [UInt8] { unsafe Array(buffer) }

    /// Hands the row to `body` where it is, with what `body` works on.
    package func withSpan<State: ~Copyable, Value>(
        _ state: inout State, _ body: (inout State, Span<UInt8>) -> Value
    ) -> Value {
        unsafe body(&state, buffer.assumingMemoryBound(to: UInt8.self).span)
    }

    var buffer: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: memory, count: count) }

    /// Starts the next row in the same memory.
    package mutating func removeAll() { count = 0 }

    package mutating func appendNull() {
        reserve(1)
        unsafe memory.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    package mutating func append(_ value: Int64) {
        reserve(9)
        unsafe memory.storeBytes(of: 1, toByteOffset: count, as: UInt8.self)
        unsafe memory.storeBytes(of: value.bigEndian, toByteOffset: count + 1, as: Int64.self)
        count += 9
    }

    package mutating func append(_ value: Int64?) {
        if let value { append(value) } else { appendNull() }
    }

    package mutating func append(_ value: Int?) {
        if let value { append(Int64(value)) } else { appendNull() }
    }

    package mutating func append(text value: String) {
        var text = value
        text.withUTF8 { unsafe append(tag: 2, raw: UnsafeRawBufferPointer($0)) }
    }

    package mutating func append(text value: String?) {
        if let value { append(text: value) } else { appendNull() }
    }

    package mutating func append(blob value: [UInt8]) {
        unsafe value.withUnsafeBytes { unsafe append(tag: 3, raw: $0) }
    }

    package mutating func append(blob value: [UInt8]?) {
        if let value { append(blob: value) } else { appendNull() }
    }

    /// A blob of 16 bytes from two words, most significant first.
    package mutating func append(words high: UInt64, _ low: UInt64) {
        reserve(21)
        unsafe memory.storeBytes(of: 3, toByteOffset: count, as: UInt8.self)
        unsafe memory.storeBytes(of: UInt32(16).bigEndian, toByteOffset: count + 1, as: UInt32.self)
        unsafe memory.storeBytes(of: high.bigEndian, toByteOffset: count + 5, as: UInt64.self)
        unsafe memory.storeBytes(of: low.bigEndian, toByteOffset: count + 13, as: UInt64.self)
        count += 21
    }

    mutating func append(tag: UInt8, raw: UnsafeRawBufferPointer) {
        reserve(5 + raw.count)
        unsafe memory.storeBytes(of: tag, toByteOffset: count, as: UInt8.self)
        unsafe memory.storeBytes(of: UInt32(raw.count).bigEndian, toByteOffset: count + 1, as: UInt32.self)
        if let base = raw.baseAddress {
            unsafe memory.advanced(by: count + 5).copyMemory(from: base, byteCount: raw.count)
        }
        count += 5 + raw.count
    }

    private mutating func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        let wider = max(capacity * 2, count + more)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: wider, alignment: 16)
        unsafe moved.copyMemory(from: memory, byteCount: count)
        unsafe memory.deallocate()
        unsafe memory = moved
        capacity = wider
    }
}
