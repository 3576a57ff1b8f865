import CSQLite

/// The bytes of stored rows in the canonical encoding of `docs/storage-format.md`, one after another in memory that is used again.
/// Each row costs one crossing. It belongs to one thread at a time, and may be handed from one to another.
@safe package final class StoredRows: @unchecked Sendable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var ends: [Int] = []

    package init(reserving capacity: Int = 4096) {
        unsafe memory = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { unsafe memory.deallocate() }

    package var count: Int { ends.count }

    package func removeAll() { ends.removeAll(keepingCapacity: true) }

    /// Appends columns 0 to `columns` - 1 of the row that the statement stands on; the column `replaced`, when it is not negative, as
    /// a blob of the two words.
    package func append(
        _ statement: borrowing Statement, columns: Int32, replaced: Int32 = -1, with words: (UInt64, UInt64) = (0, 0)
    ) {
        let start = ends.last ?? 0
        var size = read(statement, columns, replaced, words, at: start)
        if start + size > capacity {
            makeRoom(for: start + size, keeping: start)
            size = read(statement, columns, replaced, words, at: start)
        }
        ends.append(start + size)
    }

    private func read(
        _ statement: borrowing Statement, _ columns: Int32, _ replaced: Int32, _ words: (UInt64, UInt64), at start: Int
    ) -> Int {
        unsafe cl_sqlite3_read_row(
            statement.handle, columns, replaced, words.0, words.1, memory + start, capacity - start)
    }

    private func makeRoom(for count: Int, keeping used: Int) {
        let room = count + count / 2
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
        unsafe larger.update(from: memory, count: used)
        unsafe memory.deallocate()
        unsafe memory = larger
        capacity = room
    }

    package func bytes(_ index: Int) -> [UInt8] { unsafe Array(buffer(index)) }

    /// Hands a row's bytes to `body` where they are.
    package func withSpan<Value>(_ index: Int, _ body: (Span<UInt8>) -> Value) -> Value {
        unsafe body(buffer(index).span)
    }

    private func buffer(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        let start = index == 0 ? 0 : ends[index - 1]
        return unsafe UnsafeBufferPointer(start: memory + start, count: ends[index] - start)
    }
}
