package import SQLite

/// What went wrong with the ledger's database, and what to do about it.
package struct StorageError: Error, Sendable, Equatable {
    /// An open set: a new code never breaks a `switch`.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let notALedger = Self(rawValue: "not_a_ledger")
        package static let newerSchema = Self(rawValue: "needs_newer_version")
        package static let needsMigration = Self(rawValue: "needs_migration")
        package static let changedMigration = Self(rawValue: "changed_migration")
        package static let full = Self(rawValue: "storage_full")
        package static let readOnly = Self(rawValue: "read_only")
        package static let inputOutput = Self(rawValue: "storage_io")
        package static let corrupt = Self(rawValue: "storage_corrupt")
        /// Of a position that the log should have.
        package static let eventMissing = Self(rawValue: "event_missing")
        package static let unexpected = Self(rawValue: "storage_unexpected")
    }

    package let code: Code
    package let message: String
    package let remedy: String
    package let cause: SQLiteError?

    package init(_ code: Code, message: String, remedy: String, cause: SQLiteError? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.cause = cause
    }

    /// Sorts SQLite's answers into those a person can act on.
    package init(_ cause: SQLiteError) {
        if cause.isFull {
            self.init(
                .full, message: "The disk is full; nothing of this batch was stored.",
                remedy: "Free some space and repeat the command with the same command id.", cause: cause)
        } else if cause.isInputOutput {
            self.init(
                .inputOutput, message: "The disk answered with an error; nothing of this batch was stored.",
                remedy: "Look at the system's log and the disk, then repeat the command with the same command id.", cause: cause
            )
        } else if cause.isReadOnly {
            self.init(
                .readOnly, message: "This ledger may be read but not written by this user.",
                remedy: "Use an account of the ledger's group, or its owner.", cause: cause)
        } else if cause.isCorrupt {
            self.init(
                .corrupt, message: "The ledger's database is damaged: \(cause.message).",
                remedy: "Stop writing, keep a copy of the folder, run `doctor`, and restore the last good backup.", cause: cause
            )
        } else if cause.cannotOpen {
            self.init(
                .notALedger, message: "There is no ledger database to open.",
                remedy: "Give the ledger's folder with --ledger, or make one with `init`.", cause: cause)
        } else {
            self.init(
                .unexpected, message: "The database refused a step: \(cause.message) (\(cause.extendedCode)).",
                remedy: "Repeat the command with the same command id; if it happens again, report it with `doctor`'s output.",
                cause: cause)
        }
    }
}

/// Runs one step over SQLite and translates what it throws.
package func stored<Value: ~Copyable>(_ body: () throws(SQLiteError) -> Value) throws(StorageError) -> Value {
    do { return try body() } catch { throw StorageError(error) }
}
