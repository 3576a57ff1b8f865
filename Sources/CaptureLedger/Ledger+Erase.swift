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
    }

    /// Erases a session: from the first commit on nothing of it opens and nothing more is sent; then the tombstone, the key and the files
    /// follow, and whatever a crash leaves is finished when the ledger is opened next. Its events still fold to the same state.
    package func erase(_ session: SessionID, _ options: CommandOptions = CommandOptions()) throws(LedgerError) -> Erased {
        try erase(session, options, remembering: true)
    }

    /// - Parameter remembering: false where the tombstone is there already.
    func erase(_ session: SessionID, _ options: CommandOptions, remembering: Bool) throws(LedgerError) -> Erased {
        let now = clock.nowMilliseconds()
        let commandID = options.commandID ?? Self.freshCommandID(now)
        let before = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                guard let row = try context.events.session(session) else { return 0 }
                return try context.outbox.deliveries(ofSession: row.number).filter {
                    $0.status == .waiting || $0.status == .parked
                }
                .count
            }
        }
        let erasure: UnfinishedErasure = try writer.writeAndWait { (context) throws(LedgerError) in
            guard let open = try context.session(session) else { return .failure(.noSession()) }
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
                return .success(
                    UnfinishedErasure(sessionNumber: open.row.number, session: session, keyNumber: open.row.keyNumber))
            }
        }
        let swept = try finish(erasure, remembering: remembering)
        return Erased(
            session: session, media: swept.media, evidence: swept.evidence, withdrawnDeliveries: before)
    }

    /// Finishes erasures that a crash interrupted.
    func finishErasures() throws(LedgerError) {
        let unfinished = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.unfinishedErasures() }
        }
        for erasure in unfinished { _ = try finish(erasure, remembering: true) }
    }

    /// Every step of it may have been done before.
    func finish(
        _ erasure: UnfinishedErasure, remembering: Bool
    ) throws(LedgerError) -> (media: Int, evidence: Int) {
        let keys = try keys
        if let keyNumber = erasure.keyNumber {
            if remembering, let path = settings.tombstonePath(in: files.folder) {
                try Tombstones.append(
                    .init(session: erasure.session, keyNumber: keyNumber, erasedAtMilliseconds: clock.nowMilliseconds()),
                    to: path)
            }
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
        let removed = try unlocked { () throws(VaultError) in
            var count = (media: 0, evidence: 0)
            for id in objects.media where try keys.remove(.media, id) { count.media += 1 }
            for id in objects.evidence where try keys.remove(.evidence, id) { count.evidence += 1 }
            return count
        }
        // The look-ups and receipts that were deleted are still in the log's old pages.
        try writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            context.emptiesLog = true
            return .success(())
        }
        try writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            try translated { () throws(StorageError) in
                try context.writer.markSwept(session: erasure.sessionNumber, atMilliseconds: context.nowMilliseconds)
            }
            return .success(())
        }
        return removed
    }

    /// Every sealed file that the session's events and attempts name.
    private func objects(ofSession number: Int64) throws(LedgerError) -> (media: [ObjectID], evidence: [ObjectID]) {
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
