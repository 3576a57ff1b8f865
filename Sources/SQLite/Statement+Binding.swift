import CSQLite

extension Statement {
    package func bind(_ value: Int64, at index: Int32) { unsafe _ = sqlite3_bind_int64(handle, index, value) }

    package func bind(_ value: Int, at index: Int32) { bind(Int64(value), at: index) }

    package func bind(_ value: Int64?, at index: Int32) {
        if let value { bind(value, at: index) } else { bindNull(at: index) }
    }

    package func bindNull(at index: Int32) { unsafe _ = sqlite3_bind_null(handle, index) }

    package func bind(_ value: String, at index: Int32) {
        var text = value
        text.withUTF8 { units in
            unsafe units.withMemoryRebound(to: CChar.self) { characters in
                // An empty Swift string may have no address at all, which SQLite would take for NULL.
                if let base = characters.baseAddress {
                    unsafe _ = cl_sqlite3_bind_text_copy(handle, index, base, Int32(characters.count))
                } else {
                    unsafe _ = cl_sqlite3_bind_text_copy(handle, index, "", 0)
                }
            }
        }
    }

    package func bind(_ value: String?, at index: Int32) {
        if let value { bind(value, at: index) } else { bindNull(at: index) }
    }

    package func bind(_ value: [UInt8], at index: Int32) {
        unsafe value.withUnsafeBytes { bytes in
            unsafe _ = cl_sqlite3_bind_blob_copy(handle, index, bytes.baseAddress, Int32(bytes.count))
        }
    }

    package func bind(_ value: [UInt8]?, at index: Int32) {
        if let value { bind(value, at: index) } else { bindNull(at: index) }
    }

    /// Sixteen bytes, most significant first.
    package func bind(words high: UInt64, _ low: UInt64, at index: Int32) {
        let words = (high.bigEndian, low.bigEndian)
        unsafe withUnsafeBytes(of: words) { bytes in
            unsafe _ = cl_sqlite3_bind_blob_copy(handle, index, bytes.baseAddress, Int32(bytes.count))
        }
    }

    package func bind(_ value: Double?, at index: Int32) {
        if let value { unsafe _ = sqlite3_bind_double(handle, index, value) } else { bindNull(at: index) }
    }

    /// Binds a row in the canonical encoding without copying it and runs the statement. `integer`, when given, stands in for the
    /// column at `replaced`: the stored row has a session's number where the canonical bytes have its id.
    package func run(row: borrowing RowBytes, replaced: Int32 = 0, with integer: Int64 = 0) throws(SQLiteError) {
        let bytes = unsafe row.buffer
        var code = unsafe cl_sqlite3_bind_row(
            handle, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, replaced, integer)
        if code == SQLITE_OK { code = unsafe sqlite3_step(handle) }
        if code == SQLITE_DONE || code == SQLITE_ROW { code = unsafe sqlite3_reset(handle) }
        guard code == SQLITE_OK else {
            let failure = connection.error(code)
            unsafe sqlite3_reset(handle)
            unsafe sqlite3_clear_bindings(handle)
            throw failure
        }
    }
}
