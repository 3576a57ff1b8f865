import EventStorage
import SessionDomain

extension Ledger {
    /// Erasures that an opening does before it is of use; a worker's run does the rest.
    static let dueErasuresAtOnce = 64

    /// Carries out the erasures whose undo window has ended. One that cannot be done now, such as while the tombstone file cannot be
    /// written, keeps its session shut and is tried again; `doctor` names it.
    ///
    /// - Returns: how many it did.
    @discardableResult
    package func executeDueErasures(limit: Int = .max) throws(LedgerError) -> Int {
        if try erasureRequests(dueBy: clock.nowMilliseconds()).isEmpty { return 0 }
        // a jump of the clock is noted first, so that nothing is erased because of it
        try writer.writeAndWait { (_) throws(LedgerError) -> Result<Void, LedgerError> in .success(()) }
        guard canRememberErasures else { return 0 }
        var done = 0
        for request in try erasureRequests(dueBy: clock.nowMilliseconds()).prefix(limit) {
            do throws(LedgerError) {
                var options = CommandOptions()
                options.actor = "undo_window"
                if try erase(request.session, options, remembering: true, onlyIfDue: true) != nil { done += 1 }
            } catch {
                // a full disk stops every other one too
                if error.isRetryable { return done }
            }
        }
        return done
    }

    /// A worker that comes by regularly does what is due at once; what is this late waits for a person.
    static let erasurePatienceMilliseconds: Int64 = 3_600_000

    /// Since when the erasure is due, or begun, that waits longest and that a person has to make possible; nil without one.
    package func erasureStuckSince() throws(LedgerError) -> Int64? {
        if canRememberErasures { return nil }
        var times = try erasureRequests(dueBy: clock.nowMilliseconds() - Self.erasurePatienceMilliseconds).map(
            \.dueAtMilliseconds)
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                for begun in try context.events.unfinishedErasures() {
                    let progress = try context.events.erasureProgress(session: begun.sessionNumber)
                    if let progress { times.append(progress.requestedAtMilliseconds) }
                }
            }
        }
        return times.min()
    }

    /// Without a line outside the ledger a backup would bring the person back: then nothing is begun.
    var canRememberErasures: Bool {
        settings.tombstonePath(in: files.folder).map(Tombstones.isWritable) ?? true
    }
}

extension Ledger {
    /// What a crash interrupted, and what has become due meanwhile. Only what was begun keeps a ledger from being opened when it fails.
    func finishWhatWasBegun(_ options: LedgerOptions) throws(LedgerError) {
        try finishErasures()
        try finishDestructions()
        if options.executesDueErasures { _ = try? executeDueErasures(limit: Self.dueErasuresAtOnce) }
    }
}
