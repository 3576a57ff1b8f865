import CSQLite

/// The bytes of one stored row in the canonical encoding of `docs/storage-format.md`, read in one crossing into memory that is used
/// again for the next row.
@safe package struct StoredRow: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    package private(set) var count = 0

    package init(reserving capacity: Int = 4096) {
        unsafe memory = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { unsafe memory.deallocate() }

    /// Takes columns 0 to `columns` - 1 of the row that the statement stands on; the column `replaced`, when it is not negative, as a
    /// blob of the two words.
    package mutating func read(
        _ statement: borrowing Statement, columns: Int32, replaced: Int32 = -1, with words: (UInt64, UInt64) = (0, 0)
    ) {
        count = unsafe cl_sqlite3_read_row(statement.handle, columns, replaced, words.0, words.1, memory, capacity)
        guard count > capacity else { return }
        unsafe memory.deallocate()
        capacity = count + count / 2
        unsafe memory = .allocate(capacity: capacity)
        count = unsafe cl_sqlite3_read_row(statement.handle, columns, replaced, words.0, words.1, memory, capacity)
    }

    package var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: memory, count: count)) }

    /// Hands the bytes to `body` where they are.
    package func withSpan<Value>(_ body: (Span<UInt8>) -> Value) -> Value {
        unsafe body(UnsafeBufferPointer(start: memory, count: count).span)
    }
}
