/// A page of a tree while it is filled: cells from its end downwards, their places behind its head. It belongs to one thread.
@safe struct TreePage: ~Copyable {
    /// The first byte of the page; https://sqlite.org/fileformat2.html#b_tree_pages.
    enum Kind: UInt8 {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13

        var isInterior: Bool { self == .indexInterior || self == .tableInterior }
    }

    private let memory: UnsafeMutableRawPointer
    private let size: Int
    private let kind: Kind
    private(set) var count = 0
    /// Where the last cell begins, and where the one before it did.
    private var content: Int
    private var contentBefore: Int

    init(_ kind: Kind, size: Int) {
        unsafe memory = .allocate(byteCount: size, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        self.size = size
        self.kind = kind
        content = size
        contentBefore = size
    }

    deinit { unsafe memory.deallocate() }

    private var headSize: Int { kind.isInterior ? 12 : 8 }
    /// For cells, of which each needs two bytes more.
    private var room: Int { content - headSize - 2 * count }

    func hasRoom(for size: Int) -> Bool { room >= max(4, size) + 2 }

    /// Adds a cell, for which there is room.
    mutating func put(_ cell: UnsafeRawBufferPointer) {
        let at = place(cell.count)
        if let base = cell.baseAddress {
            unsafe memory.advanced(by: at).copyMemory(from: base, byteCount: cell.count)
        }
    }

    /// Adds the cell of a child, for which there is room: its page, and what stands behind that.
    mutating func put(child: Int, _ rest: [UInt8]) {
        let at = place(4 + rest.count)
        unsafe memory.storeBytes(of: UInt32(child).bigEndian, toByteOffset: at, as: UInt32.self)
        unsafe rest.withUnsafeBytes { rest in
            guard let base = rest.baseAddress else { return }
            unsafe memory.advanced(by: at + 4).copyMemory(from: base, byteCount: rest.count)
        }
    }

    private mutating func place(_ length: Int) -> Int {
        contentBefore = content
        content -= max(4, length)
        unsafe memory.storeBytes(
            of: UInt16(truncatingIfNeeded: content).bigEndian, toByteOffset: headSize + 2 * count, as: UInt16.self)
        count += 1
        return content
    }

    /// Takes the last cell back; not two in a row.
    mutating func takeLast() -> [UInt8] {
        let cell = unsafe Array(UnsafeRawBufferPointer(start: memory + content, count: contentBefore - content))
        content = contentBefore
        count -= 1
        unsafe memory.storeBytes(of: 0, toByteOffset: headSize + 2 * count, as: UInt16.self)
        return cell
    }

    /// Hands over the whole page, and begins with an empty one.
    ///
    /// - Parameter right: the child behind the last cell, of an interior page.
    mutating func finish<Value, Failure: Error>(
        right: Int, _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        unsafe memory.storeBytes(of: kind.rawValue, as: UInt8.self)
        unsafe memory.storeBytes(of: UInt16(count).bigEndian, toByteOffset: 3, as: UInt16.self)
        unsafe memory.storeBytes(of: UInt16(truncatingIfNeeded: content).bigEndian, toByteOffset: 5, as: UInt16.self)
        if kind.isInterior { unsafe memory.storeBytes(of: UInt32(right).bigEndian, toByteOffset: 8, as: UInt32.self) }
        let bytes = unsafe UnsafeRawBufferPointer(start: memory, count: size)
        let value = try body(unsafe bytes.assumingMemoryBound(to: UInt8.self).span)
        count = 0
        content = size
        contentBefore = size
        return value
    }
}
