/// Messages between the store and a model runner's process; docs/model-runners.md has them all. Everything is little endian: kind, number
/// (an answer has its request's), the body's length, the body.
enum RunnerFrame {
    enum Kind: UInt32 {
        case hello = 1
        case ready = 2
        case load = 3
        case loaded = 4
        case run = 5
        case result = 6
        case runShared = 7
        case resultShared = 8
        case error = 9
    }

    static let version: UInt32 = 1
    /// Kind, number, and the length of the body in eight bytes.
    static let headerLength = 16
    static let bodyLimit = 256 << 20
}

/// Writes the body of a message.
struct FrameWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ value: UInt32) {
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) }
    }

    mutating func add(_ value: UInt64) {
        add(UInt32(truncatingIfNeeded: value))
        add(UInt32(truncatingIfNeeded: value >> 32))
    }

    /// How many, then each.
    mutating func add(_ values: [Int]) {
        add(UInt32(clamping: values.count))
        for value in values { add(UInt32(clamping: value)) }
    }

    mutating func add(_ more: [UInt8]) { bytes.append(contentsOf: more) }
}

/// Reads the body of a message that may hold anything.
struct FrameReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func u32() throws(RunnerFailure) -> UInt32 {
        guard bytes.count - position >= 4 else { throw .garbage }
        defer { position += 4 }
        return (0..<4).reduce(0) { $0 | UInt32(bytes[position + $1]) << UInt32(8 * $1) }
    }

    mutating func u64() throws(RunnerFailure) -> UInt64 { try UInt64(u32()) | UInt64(u32()) << 32 }

    /// A number from 0 to `limit`.
    mutating func count(limit: Int) throws(RunnerFailure) -> Int {
        let value = try Int(u32())
        guard value <= limit else { throw .garbage }
        return value
    }

    /// At most eight sides, with no more elements than fit into a message.
    mutating func shape() throws(RunnerFailure) -> [Int] {
        let rank = try count(limit: 8)
        var shape: [Int] = []
        for _ in 0..<rank { shape.append(try count(limit: Int(Int32.max))) }
        guard elementCount(of: shape) != nil else { throw .garbage }
        return shape
    }

    mutating func rest() -> ArraySlice<UInt8> {
        defer { position = bytes.count }
        return bytes[position...]
    }

    mutating func take(_ count: Int) throws(RunnerFailure) -> ArraySlice<UInt8> {
        guard count >= 0, bytes.count - position >= count else { throw .garbage }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Nothing may follow.
    func end() throws(RunnerFailure) { if position != bytes.count { throw .garbage } }
}
