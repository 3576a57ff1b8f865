import EventStorage
import SystemCalls
import Vault

extension Examination {
    /// Sealed files against the log: what nobody names, what should be gone, what should be there.
    func lookAtFiles() {
        look(lookAtErasures)
        look { () throws(LedgerError) in
            try ledger.read { (context) throws(LedgerError) in
                let known = try translated { () throws(StorageError) in try KnownObjects(context) }
                try lookAtOrphans(known)
                try lookAtMissing(known)
            }
        }
    }

    private func lookAtErasures() throws(LedgerError) {
        let unfinished = try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.unfinishedErasures() }
        }
        try lookAtDueErasures()
        if unfinished.isEmpty { return }
        if fixes { try ledger.finishErasures() }
        add(
            "erasure_unfinished", .error, "\(unfinished.count) erasures were begun and are not finished.",
            remedy: ledger.canRememberErasures
                ? "Open the ledger for writing, or run `capture-ledger doctor --fix`."
                : "Bring the file that `tombstones` in \(Settings.fileName) names back, and make it writable; then run "
                    + "`capture-ledger doctor --fix`.",
            fixed: fixes && ledger.canRememberErasures)
    }

    private struct Leftovers {
        var count = 0
        var bytes: Int64 = 0

        mutating func add(_ orphan: Vault.Orphan) {
            count += 1
            bytes += orphan.byteCount
        }
    }

    /// A file of a capture in flight is locked and left alone. An answer is archived before its attempt is on record, so that evidence
    /// is left alone while a worker runs.
    private func lookAtOrphans(_ known: KnownObjects) throws(LedgerError) {
        guard let vault = ledger.vault else { return }
        let locks = try ledger.workerLocks
        // an answer lies there before its attempt is on record: no worker may live, or begin, while they are compared
        let exclusion = fixes ? try called({ () throws(SystemError) in try locks.exclude() }) : nil
        let isSyncing = fixes ? exclusion == nil : try called { () throws(SystemError) in try locks.areHeld() }
        if isSyncing {
            add(
                "sync_running", .note, "A sync worker runs; its answers were not looked at.",
                remedy: "Look again when it is done.")
        }
        let mayRemove = fixes
        let orphans = try unlocked { () throws(VaultError) in
            try vault.orphans(removing: mayRemove) { kind, id in
                if kind == .evidence, isSyncing { return true }
                // What cannot be looked up is not an orphan.
                guard let standing = try? known.standing(kind, id) else { return true }
                return standing == .kept
            }
        }
        var (staged, orphaned, unasked, gone) = (Leftovers(), Leftovers(), Leftovers(), Leftovers())
        for orphan in orphans {
            let standing = try translated { () throws(StorageError) in try known.standing(orphan.kind, orphan.id) }
            if orphan.isStaged {
                staged.add(orphan)
            } else if standing == .gone {
                gone.add(orphan)
            } else if orphan.kind == .evidence {
                unasked.add(orphan)
            } else {
                orphaned.add(orphan)
            }
        }
        report(staged, "staging_left", .warning, "files were left half written by a crash")
        report(orphaned, "orphan_file", .warning, "sealed files are named by no event: a crash came before their event")
        report(
            unasked, "orphan_evidence", .warning,
            "sealed answers are named by no attempt: a crash came before it was on record, and the endpoint is asked again")
        report(
            gone, "purged_file_present", .error, "sealed files are still there although an event says that they are destroyed")
        withExtendedLifetime(exclusion) {}
    }

    private func report(_ left: Leftovers, _ code: String, _ severity: Finding.Severity, _ what: String) {
        if left.count == 0 { return }
        add(code, severity, "\(left.count) \(what) (\(left.bytes) bytes).", remedy: Self.runWithFix, fixed: fixes)
    }

    private func lookAtMissing(_ known: KnownObjects) throws(LedgerError) {
        let elsewhereThrough = ledger.elsewhereThrough()
        var (missing, elsewhere, unanswered) = ([ObjectID](), 0, [ObjectID]())
        try translated { () throws(StorageError) in
            try known.forEachKeptMedia { (id, position) throws(StorageError) in
                guard isGone(.media, id) else { return }
                if position <= elsewhereThrough { elsewhere += 1 } else { missing.append(id) }
            }
            try known.forEachKeptEvidence { (id) throws(StorageError) in if isGone(.evidence, id) { unanswered.append(id) } }
        }
        let lost = try count(missing, .media, known)
        if lost > 0 {
            add(
                "media_missing", .error, "\(lost) sealed originals are gone and no event says why.",
                remedy: "Bring them back from a backup; `audit verify` names the events.")
        }
        if elsewhere > 0 {
            add(
                "media_elsewhere", .note, "\(elsewhere) sealed originals lie elsewhere: the ledger was imported without them.",
                remedy:
                    "Copy media and evidence from the ledger that was exported, or from a backup of it, where they are needed.")
        }
        let silent = elsewhereThrough > 0 ? 0 : try count(unanswered, .evidence, known)
        if silent > 0 {
            add(
                "evidence_missing", .error, "\(silent) sealed answers are gone although the delivery log names them.",
                remedy: "Bring them back from a backup; deliveries and sessions are not affected.")
        }
    }

    private func isGone(_ kind: SealedKind, _ id: ObjectID) -> Bool {
        ((try? FileStatus.of(files.sealed(kind, id))) ?? nil) == nil
    }

    /// Some were destroyed since, by the book.
    private func count(_ ids: [ObjectID], _ kind: SealedKind, _ known: KnownObjects) throws(LedgerError) -> Int {
        try translated { () throws(StorageError) in
            var count = 0
            for id in ids where try known.standing(kind, id) == .kept { count += 1 }
            return count
        }
    }
}
