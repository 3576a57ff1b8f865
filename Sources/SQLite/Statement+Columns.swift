import CSQLite

extension Statement {
    package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    package func int64(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    package func int(_ column: Int32) -> Int { Int(unsafe sqlite3_column_int64(handle, column)) }

    package func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

    package func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }

    package func text(_ column: Int32) -> String { unsafe withBytes(column) { unsafe String(decoding: $0, as: UTF8.self) } }

    /// Whether the column holds these bytes; no string is made.
    package func isText(_ column: Int32, _ text: String) -> Bool {
        var text = text
        return text.withUTF8 { wanted in
            unsafe withBytes(column) { unsafe $0.count == wanted.count && $0.elementsEqual(wanted) }
        }
    }

    package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    package func blob(_ column: Int32) -> [UInt8] { unsafe withBytes(column) { unsafe Array($0) } }

    package func optionalBlob(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : blob(column) }

    /// Two words of a 16-byte blob, most significant first; nil for NULL or another length.
    package func words(_ column: Int32) -> (UInt64, UInt64)? {
        unsafe withBytes(column) { bytes in
            guard bytes.count == 16 else { return nil }
            return unsafe (
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// Fetches every column and keeps none: what reading costs anybody.
    ///
    /// - Returns: about how many bytes the texts and blobs have.
    package func touch(columns: Int32) -> Int { unsafe cl_sqlite3_touch_row(handle, columns) }

    /// The column's own bytes, valid inside the closure.
    func withBytes<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = unsafe sqlite3_column_bytes(handle, column)
        return unsafe body(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    /// The column's own bytes, without a copy: they last until the next step.
    package func withUTF8<Value, Failure: Error>(
        _ column: Int32, _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = unsafe sqlite3_column_bytes(handle, column)
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(count))
        return try body(unsafe bytes.assumingMemoryBound(to: UInt8.self).span)
    }

    /// Appends the columns of the current row from `first` on in the canonical encoding; for `replaced`, `blob` stands in.
    package func appendRow(to row: inout RowBytes, columns: Range<Int32>, replaced: Int32 = -1, with blob: [UInt8] = []) {
        for column in columns {
            if column == replaced {
                row.append(blob: blob)
                continue
            }
            switch unsafe sqlite3_column_type(handle, column) {
            case SQLITE_NULL: row.appendNull()
            case SQLITE_INTEGER: row.append(int64(column))
            case SQLITE_TEXT: unsafe withBytes(column) { unsafe row.append(tag: 2, raw: $0) }
            default: unsafe withBytes(column) { unsafe row.append(tag: 3, raw: $0) }
            }
        }
    }
}
