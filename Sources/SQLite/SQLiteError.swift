import CSQLite

/// What SQLite answered, without the values that were bound.
package struct SQLiteError: Error, Sendable, Equatable {
    /// The primary result code, for example `SQLITE_FULL` (13); https://sqlite.org/rescode.html.
    package let code: Int32
    /// The extended result code.
    package let extendedCode: Int32
    /// SQLite's own sentence.
    package let message: String

    package init(code: Int32, extendedCode: Int32, message: String) {
        self.code = code
        self.extendedCode = extendedCode
        self.message = message
    }

    package var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
    package var isFull: Bool { code == SQLITE_FULL }
    package var isInputOutput: Bool { code == SQLITE_IOERR }
    package var isCorrupt: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
    /// A statement of this product does not fit the tables that are there: somebody else has made or changed them.
    package var doesNotFit: Bool { code == SQLITE_ERROR }
    package var isReadOnly: Bool { code == SQLITE_READONLY || code == SQLITE_PERM || code == SQLITE_AUTH }
    /// A writer that died left a journal, and this connection may not put back what it holds.
    package var needsRollback: Bool { extendedCode == SQLITE_READONLY | (3 << 8) }
    package var cannotOpen: Bool { code == SQLITE_CANTOPEN }
    package var isConstraint: Bool { code == SQLITE_CONSTRAINT }
}
