import CSQLite

/// A prepared statement, finalized when nobody uses it any more. Columns count from 0, parameters from 1.
@safe package final class Statement {
    let handle: OpaquePointer
    let connection: Connection

    /// `sql` is one statement, usually a file of `Schema/queries`.
    package init(_ connection: Connection, _ sql: [UInt8]) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = unsafe sql.withUnsafeBytes { bytes in
            unsafe sqlite3_prepare_v3(
                connection.handle, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count),
                UInt32(SQLITE_PREPARE_PERSISTENT),
                &prepared, nil)
        }
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw connection.error(code) }
        unsafe handle = prepared
        self.connection = connection
    }

    package convenience init(_ connection: Connection, _ sql: String) throws(SQLiteError) {
        try self.init(connection, Array(sql.utf8))
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// True when there is a row to read, false when the statement is done.
    package func step() throws(SQLiteError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        let failure = connection.error(code)
        unsafe sqlite3_reset(handle)
        throw failure
    }

    /// Steps to the end, leaves rows unread, and makes the statement ready for the next use.
    package func run() throws(SQLiteError) {
        while try step() {}
        unsafe sqlite3_reset(handle)
    }

    /// Ready for the next use; parameters keep their values.
    package func reset() { unsafe sqlite3_reset(handle) }
}
