extension LedgerError {
    static let erasureRequested = LedgerError(
        code: .init(rawValue: "erasure_requested"),
        message: "The erasure of this session was requested: nothing of it can be opened or changed.",
        remedy: "Withdraw it with `capture-ledger erase --undo SESSION` before its time comes (`erase --list` says when).")

    package static let erasureNotRequested = LedgerError(
        code: .init(rawValue: "erasure_not_requested"), message: "No erasure waits to be withdrawn here.",
        remedy: "`capture-ledger erase --list` shows those that do.")
}
