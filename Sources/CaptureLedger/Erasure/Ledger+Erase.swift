import EventCoding
import EventStorage
import Outbox
package import SessionDomain
import SystemCalls
import Vault

extension Ledger {
    /// What an erasure took away.
    package struct Erased: Sendable, Equatable {
        package let session: SessionID
        package let media: Int
        package let evidence: Int
        package let withdrawnDeliveries: Int
        /// Who holds something of the person all the same, and has to be asked.
        package var recipients: [Recipient] = []
        /// False: a reader kept old pages of the write-ahead log in use, which may hold look-ups and receipts. The next opening for
        /// writing empties it.
        package var isSwept = true
    }

    /// Erases a session at once: from the first commit on nothing of it opens and nothing more is sent; then the tombstone, the key and
    /// the files follow, and whatever a crash leaves is finished when the ledger is opened next. Its events still fold to the same state.
    ///
    /// - Throws: `no_such_session`, `stale_version`, `command_id_conflict`; `tombstones_missing` and `tombstones_unwritable`, before anything
    ///   is begun.
    package func erase(_ session: SessionID, _ options: CommandOptions = CommandOptions()) throws(LedgerError) -> Erased {
        guard let erased = try erase(session, options, remembering: true, onlyIfDue: false) else { throw .noSession() }
        return erased
    }

    /// - Parameters:
    ///   - remembering: false where the tombstone is there already.
    ///   - onlyIfDue: leaves a session alone whose request was withdrawn, or whose time has not come; nil then.
    func erase(
        _ session: SessionID, _ options: CommandOptions, remembering: Bool, onlyIfDue: Bool
    ) throws(LedgerError) -> Erased? {
        if remembering, let path = settings.tombstonePath(in: files.folder) { try Tombstones.check(path) }
        let before = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                guard let row = try context.events.session(session) else { return 0 }
                return try context.outbox.deliveries(ofSession: row.number).filter {
                    $0.status == .waiting || $0.status == .parked
                }
                .count
            }
        }
        guard let begun = try beginErasure(session, options, onlyIfDue: onlyIfDue) else { return nil }
        let swept = try finish(begun, remembering: remembering)
        return Erased(
            session: session, media: swept.media, evidence: swept.evidence, withdrawnDeliveries: before,
            recipients: try recipients(of: session), isSwept: swept.isLogEmpty)
    }

    /// The first commit of an erasure: nothing of the session opens any more, and its files and its key are still there.
    func beginErasure(
        _ session: SessionID, _ options: CommandOptions, onlyIfDue: Bool = false
    ) throws(LedgerError) -> Erasure? {
        let commandID = options.commandID ?? Self.freshCommandID(clock.nowMilliseconds())
        return try writer.writeAndWait { (context) throws(LedgerError) -> Result<Erasure?, LedgerError> in
            guard let open = try context.session(session) else { return .failure(.noSession()) }
            if onlyIfDue {
                guard let request = context.erasureRequests[open.row.number],
                    request.dueAtMilliseconds <= context.wallMilliseconds
                else { return .success(nil) }
            }
            let request = CommandRequest(
                session: session, command: .erase, commandID: commandID, expectedVersion: options.expectedVersion,
                actor: options.actor, body: Self.body("erase", []))
            switch try context.perform(request) {
            case .failure(let refusal): return .failure(refusal)
            case .success:
                try translated { () throws(StorageError) in
                    try context.writer.beginErasure(session: open.row.number, atMilliseconds: context.nowMilliseconds)
                    try context.outbox.deleteSecrets(ofSession: open.row.number)
                }
                try context.forgetErasureRequest(of: open.row.number)
                return .success(
                    Erasure(sessionNumber: open.row.number, session: session, keyNumber: open.row.keyNumber))
            }
        }
    }

    /// Finishes erasures that a crash interrupted. While the tombstone file cannot be written they wait, their sessions shut, and everybody
    /// else goes on; `doctor` and `sync --cron` name it.
    func finishErasures() throws(LedgerError) {
        guard canRememberErasures else { return }
        let unfinished = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.unfinishedErasures() }
        }
        for erasure in unfinished { _ = try finish(erasure, remembering: true) }
    }

    struct Swept: Sendable {
        var media = 0
        var evidence = 0
        var isLogEmpty = false
    }

    /// Every step of it may have been done before.
    func finish(_ erasure: Erasure, remembering: Bool) throws(LedgerError) -> Swept {
        let keys = try keys
        if let keyNumber = erasure.keyNumber {
            if remembering { try remember(erasure, keyNumber) }
            try writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
                try unlocked { () throws(VaultError) in
                    _ = try context.vault.destroy(keyNumber, atMilliseconds: context.nowMilliseconds)
                }
                try translated { () throws(StorageError) in
                    try context.writer.markKeyDestroyed(
                        session: erasure.sessionNumber, atMilliseconds: context.nowMilliseconds)
                }
                return .success(())
            }
        }
        let objects = try objects(ofSession: erasure.sessionNumber)
        var swept = try unlocked { () throws(VaultError) in
            var swept = Swept()
            for id in objects.media where try keys.remove(.media, id) { swept.media += 1 }
            for id in objects.evidence where try keys.remove(.evidence, id) { swept.evidence += 1 }
            return swept
        }
        // The look-ups and receipts that were deleted are still in the log's old pages.
        try writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            context.emptiesLog = true
            return .success(())
        }
        swept.isLogEmpty = try writer.writeAndWait { (context) throws(LedgerError) -> Result<Bool, LedgerError> in
            guard context.leftLogEmpty else { return .success(false) }
            try translated { () throws(StorageError) in
                try context.writer.markSwept(session: erasure.sessionNumber, atMilliseconds: context.nowMilliseconds)
            }
            return .success(true)
        }
        return swept
    }

    /// Adds the line that keeps a backup from bringing the person back.
    func remember(_ erasure: Erasure, _ keyNumber: Int64) throws(LedgerError) {
        guard let path = settings.tombstonePath(in: files.folder) else { return }
        let (recipients, progress) = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                (
                    try context.recipients(ofSession: erasure.sessionNumber),
                    try context.events.erasureProgress(session: erasure.sessionNumber)
                )
            }
        }
        try Tombstones.append(
            .init(
                session: erasure.session, keyNumber: keyNumber,
                erasedAtMilliseconds: progress?.requestedAtMilliseconds ?? clock.nowMilliseconds(), ledger: ledgerID,
                recipients: recipients),
            to: path)
    }

    /// Every sealed file that the session's events and attempts name.
    func objects(ofSession number: Int64) throws(LedgerError) -> (media: [ObjectID], evidence: [ObjectID]) {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var media: [ObjectID] = []
                for event in try context.events.events(ofSession: number) {
                    if let crop = event.encoded.pageCrop { media.append(ObjectID(crop.id.uuid)) }
                    guard event.encoded.isCapture, let id = event.encoded.captureID else { continue }
                    media.append(ObjectID(id))
                }
                var evidence: [ObjectID] = []
                for delivery in try context.outbox.deliveries(ofSession: number) {
                    for attempt in try context.outbox.attempts(ofDelivery: delivery.number) {
                        if let id = attempt.evidenceID { evidence.append(ObjectID(id)) }
                    }
                }
                return (media, evidence)
            }
        }
    }
}
