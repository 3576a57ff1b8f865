import CSQLite

/// One connection to one database file. It belongs to one thread at a time; its owner sees to that.
@safe package final class Connection {
    /// How a file is opened.
    package enum Mode: Sendable {
        /// Reads and writes; makes the file when it is not there.
        case create
        /// Reads and writes a file that is there.
        case write
        /// Reads; never checkpoints, never makes a file.
        case read
        /// Reads a file that nobody changes meanwhile, without locks and without a write-ahead log.
        case immutable
    }

    /// Our own locks keep writers apart; this only bridges a foreign connection's short lock.
    package static let busyTimeoutMilliseconds = 10_000

    /// Once a process, before the first connection.
    private static let configured = cl_sqlite3_use_memory()

    let handle: OpaquePointer
    package let path: String
    private let walPageCount: UnsafeMutablePointer<Int32>

    /// - Throws: `SQLITE_CANTOPEN` when the file is not there or may not be opened in this mode.
    package init(path: String, mode: Mode) throws(SQLiteError) {
        _ = Self.configured
        var opened: OpaquePointer?
        let flags: Int32
        let name: String
        switch mode {
        case .create: (flags, name) = (SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, path)
        case .write: (flags, name) = (SQLITE_OPEN_READWRITE, path)
        case .read: (flags, name) = (SQLITE_OPEN_READONLY, path)
        case .immutable: (flags, name) = (SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, Self.immutableAddress(path))
        }
        let code = unsafe sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            let message = unsafe String(cString: sqlite3_errstr(code))
            unsafe sqlite3_close_v2(opened)
            throw SQLiteError(code: code & 0xFF, extendedCode: code, message: "\(message): \(path)")
        }
        unsafe handle = opened
        self.path = path
        unsafe walPageCount = .allocate(capacity: 1)
        unsafe walPageCount.initialize(to: 0)
        unsafe sqlite3_busy_timeout(opened, Int32(Self.busyTimeoutMilliseconds))
        // A connection that closes must not checkpoint outside the writer lock.
        unsafe _ = cl_sqlite3_no_checkpoint_on_close(opened)
    }

    deinit {
        unsafe sqlite3_wal_hook(handle, nil, nil)
        unsafe sqlite3_close_v2(handle)
        unsafe walPageCount.deallocate()
    }

    /// From now on `walPages` tells how long the write-ahead log is; also turns automatic checkpoints off for good.
    package func countLogPages() { unsafe cl_sqlite3_count_wal_pages(handle, walPageCount) }

    /// Pages in the write-ahead log after this connection's last commit.
    package var walPages: Int { Int(unsafe walPageCount.pointee) }

    /// What changes with every commit of whatever connection, read without a transaction; nil where it cannot be read. Only of a database
    /// with a rollback journal.
    package func fileVersion() -> (UInt64, UInt64)? {
        var version: (UInt64, UInt64) = (0, 0)
        let code = unsafe withUnsafeMutableBytes(of: &version) { unsafe cl_sqlite3_file_version(handle, $0.baseAddress) }
        return code == SQLITE_OK ? version : nil
    }

    private static func immutableAddress(_ path: String) -> String {
        var address = "file:"
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        for unit in path.utf8 {
            if plain.contains(unit) {
                address.unicodeScalars.append(Unicode.Scalar(unit))
            } else {
                let hex = String(unit, radix: 16, uppercase: true)
                address += hex.utf8.count == 1 ? "%0\(hex)" : "%\(hex)"
            }
        }
        return address + "?immutable=1"
    }

    /// Runs every statement of `sql` and leaves their rows unread.
    package func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    package func execute(_ sql: [UInt8]) throws(SQLiteError) {
        try execute(String(decoding: sql, as: UTF8.self))
    }

    /// Rows changed by the last statement that finished.
    package var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

    /// False once a transaction was rolled back, by us or by SQLite itself after an error such as a full disk.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    func error(_ code: Int32) -> SQLiteError {
        let extended = unsafe sqlite3_extended_errcode(handle)
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        return SQLiteError(code: code & 0xFF, extendedCode: extended, message: message)
    }

    /// The version of the linked library, "3.40.1".
    package static var libraryVersion: String { unsafe String(cString: sqlite3_libversion()) }
    package static var libraryVersionNumber: Int { Int(sqlite3_libversion_number()) }
}
