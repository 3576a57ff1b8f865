import CSQLite

/// The columns of a statement's current row, fetched in one crossing where ``Statement`` takes two for each. Texts and blobs last until the
/// statement's next step. It belongs to one thread at a time.
@safe package final class RowCells {
    private let cells: UnsafeMutablePointer<cl_sqlite3_cell>
    private let count: Int

    /// - Parameter count: of the columns, from the first on.
    package init(columns count: Int) {
        self.count = count
        unsafe cells = .allocate(capacity: count)
        unsafe cells.initialize(repeating: cl_sqlite3_cell(integer: 0, bytes: nil, length: 0, type: SQLITE_NULL), count: count)
    }

    deinit { unsafe cells.deallocate() }

    /// Takes in the row that the statement stands on.
    package func fetch(_ statement: Statement) { unsafe cl_sqlite3_fetch(statement.handle, Int32(count), cells) }

    /// 0 for what is no whole number, as SQLite has it.
    package func int64(_ column: Int) -> Int64 { optionalInt64(column) ?? 0 }

    package func optionalInt64(_ column: Int) -> Int64? {
        precondition(column < count)
        return unsafe cells[column].type == SQLITE_INTEGER ? cells[column].integer : nil
    }

    package func optionalText(_ column: Int) -> String? {
        guard hasBytes(column) else { return nil }
        return unsafe String(decoding: bytes(column), as: UTF8.self)
    }

    /// Two words of a 16-byte blob, most significant first; nil for NULL or another length.
    package func words(_ column: Int) -> (UInt64, UInt64)? {
        guard hasBytes(column) else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(bytes(column))
        guard bytes.count == 16 else { return nil }
        return unsafe (
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    /// The column's own bytes, without a copy; none for NULL.
    package func withUTF8<Value, Failure: Error>(
        _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let bytes = unsafe hasBytes(column) ? bytes(column) : UnsafeBufferPointer(start: nil, count: 0)
        return try body(unsafe bytes.span)
    }

    private func hasBytes(_ column: Int) -> Bool {
        precondition(column < count)
        let type = unsafe cells[column].type
        return type == SQLITE_TEXT || type == SQLITE_BLOB
    }

    private func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(start: cells[column].bytes, count: Int(cells[column].length))
    }
}
