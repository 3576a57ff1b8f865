/// The pages of one table on their way into the file, a few side by side in one write. It belongs to one thread.
@safe final class PageRun {
    /// Of one write. The first ones are shorter, so that a small table leaves few pages empty.
    private static let longest = 16

    private let file: TableFile
    private var memory: [UInt8] = []
    private var first = 0
    private var length = 0

    init(_ file: TableFile) { self.file = file }

    private var count: Int { memory.count / file.pageSize }

    /// - Returns: the page's number.
    func add(_ page: Span<UInt8>) throws(SQLiteError) -> Int {
        if count == length {
            try flush()
            length = min(Self.longest, max(1, length * 2))
            first = file.takePages(length)
            memory.reserveCapacity(length * file.pageSize)
        }
        unsafe page.withUnsafeBytes { unsafe memory.append(contentsOf: $0) }
        return first + count - 1
    }

    /// Nothing comes any more.
    func finish() throws(SQLiteError) {
        let end = first + count
        if length > count { file.giveBack(end..<first + length) }
        try flush()
        length = 0
    }

    private func flush() throws(SQLiteError) {
        guard !memory.isEmpty else { return }
        var bytes: [UInt8] = []
        swap(&bytes, &memory)
        try file.write(bytes.span, atPage: first)
        bytes.removeAll(keepingCapacity: true)
        swap(&bytes, &memory)
    }
}
