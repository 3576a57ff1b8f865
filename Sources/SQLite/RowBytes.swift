/// A row in the canonical encoding of `docs/storage-format.md`: what is hashed, and what is bound, are the same bytes.
package struct RowBytes: ~Copyable {
    package private(set) var bytes: [UInt8] = []

    package init(reserving capacity: Int = 1024) { bytes.reserveCapacity(capacity) }

    /// Starts the next row in the same memory.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    package mutating func appendNull() { bytes.append(0) }

    package mutating func append(_ value: Int64) {
        bytes.append(1)
        append(word: UInt64(bitPattern: value))
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
        bytes.append(3)
        append(length: 16)
        append(word: high)
        append(word: low)
    }

    mutating func append(tag: UInt8, raw: UnsafeRawBufferPointer) {
        bytes.append(tag)
        append(length: UInt32(raw.count))
        unsafe bytes.append(contentsOf: raw)
    }

    private mutating func append(word: UInt64) {
        unsafe withUnsafeBytes(of: word.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func append(length: UInt32) {
        unsafe withUnsafeBytes(of: length.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}
