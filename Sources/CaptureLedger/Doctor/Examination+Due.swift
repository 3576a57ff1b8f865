import EventStorage
import SessionDomain

extension Examination {
    /// Erasures whose undo window ended: nobody wrote since, or the tombstone file cannot be written.
    func lookAtDueErasures() throws(LedgerError) {
        let now = ledger.clock.nowMilliseconds()
        let due = try ledger.erasureRequests(dueBy: now - (fixes ? 0 : Ledger.erasurePatienceMilliseconds))
        if due.isEmpty { return }
        if fixes { try ledger.executeDueErasures() }
        let left = fixes ? try ledger.erasureRequests(dueBy: now).count : due.count
        if !ledger.canRememberErasures {
            add(
                "erasure_stuck", .error,
                "\(left) erasures are due and cannot be done: the tombstone file cannot be written.",
                remedy: "Bring the file that `tombstones` in \(Settings.fileName) names back, and make it writable; then run "
                    + "`capture-ledger doctor --fix`.")
        } else {
            add(
                "erasure_overdue", .error, "\(due.count) erasures are due for more than an hour and nobody did them.",
                remedy: "Run `capture-ledger sync` regularly, or `capture-ledger doctor --fix` now.", fixed: left == 0)
        }
    }

    /// A rotation of the master key that was interrupted: both keys are needed until it is finished.
    func lookAtRotation() throws(LedgerError) {
        // as they are now: a rotation may have been finished since the ledger was opened
        let settings = try Ledger.settings(of: files, environment: [:])
        guard settings.previousMasterKey != nil, let new = settings.masterKey else { return }
        add(
            "rotation_unfinished", .warning, "A rotation of the master key was begun and is not finished.",
            remedy: "Run `capture-ledger key rotate --to \(new.words.hasPrefix("the command") ? "command:…" : new.text)` again."
        )
    }
}
