/// A window of at most 64 KiB over a source: memory stays the same however long the file is.
///
/// Reading past the end is `truncated`, with the part that the parser says it is in.
struct ByteReader {
    static let largestWindow = 64 << 10
    private static let smallestWindow = 4 << 10

    let size: Int64
    /// Named in `truncated` when a read passes the end.
    var part: String
    private let source: any ByteSource
    private var window: [UInt8] = []
    private var start: Int64 = 0
    private var filled = 0

    init(_ source: any ByteSource, part: String) {
        self.source = source
        self.size = source.size
        self.part = part
    }

    mutating func byte(at offset: Int64) throws(MediaRefusal) -> UInt8 {
        let index = offset &- start
        if index >= 0, index < Int64(filled) { return window[Int(index)] }
        try fill(from: offset)
        return window[0]
    }

    /// The byte there, or nil past the end.
    mutating func byteIfAny(at offset: Int64) throws(MediaRefusal) -> UInt8? {
        offset >= 0 && offset < size ? try byte(at: offset) : nil
    }

    /// `count` bytes; for short pieces of a header.
    mutating func bytes(at offset: Int64, count: Int) throws(MediaRefusal) -> [UInt8] {
        guard count >= 0, offset >= 0, offset <= size - Int64(count) else { throw .truncated(part) }
        var result: [UInt8] = []
        result.reserveCapacity(count)
        while result.count < count {
            let next = offset + Int64(result.count)
            _ = try byte(at: next)
            let from = Int(next - start)
            result.append(contentsOf: window[from..<min(filled, from + count - result.count)])
        }
        return result
    }

    /// Where `value` next is, at or after `offset`; nil when it does not come.
    mutating func firstIndex(of value: UInt8, from offset: Int64) throws(MediaRefusal) -> Int64? {
        var next = offset
        while next < size {
            _ = try byte(at: next)
            let from = Int(next - start)
            if let found = window[from..<filled].firstIndex(of: value) { return start + Int64(found) }
            next = start + Int64(filled)
        }
        return nil
    }

    private mutating func fill(from offset: Int64) throws(MediaRefusal) {
        guard offset >= 0, offset < size else { throw .truncated(part) }
        let sequential = filled > 0 && offset == start + Int64(filled)
        let wanted = sequential ? Self.largestWindow : Self.smallestWindow
        if window.count != wanted { window = [UInt8](repeating: 0, count: wanted) }
        do {
            filled = try source.read(at: offset, into: &window)
        } catch {
            filled = 0
            throw .mediaUnreadable("storage")
        }
        start = offset
        guard filled > 0, filled <= window.count else {
            filled = 0
            throw .truncated(part)
        }
    }
}
