import DeliveryMachine
import EventStorage
import Outbox
import SessionDomain
import Vault

extension WriteContext {
    /// As `describe`, with the bytes of a first send fixed; a delivery whose own bytes do not open is given up by name, so that
    /// it cannot hold up the others.
    func describeOrPark(
        _ candidate: OutboxWriter.Candidate, destination: DestinationName, offset: Int64,
        fixing: (ClaimedDelivery) -> FrozenBody?
    ) throws(LedgerError) -> ClaimedDelivery? {
        do throws(LedgerError) {
            if var claim = try describe(candidate, destination: destination, offset: offset) {
                guard claim.frozen == nil, let body = fixing(claim) else { return claim }
                claim.frozen = body
                if try freeze(body, of: claim, number: candidate.number) { return claim }
            }
        } catch {
            if error.isRetryable { throw error }
        }
        guard let session = try session(number: candidate.sessionNumber), let piece = Piece(code: candidate.pieceCode),
            let fence = try translated({ () throws(StorageError) in try outbox.work(candidate.number)?.fence }),
            let commandID = CommandID("park-\(candidate.id.text)-\(fence)")
        else { return nil }
        let parking = ParkDelivery(
            deliveryID: candidate.id, piece: piece, captureID: candidate.capture, destination: destination.text,
            cause: ParkCause.mediaUnreadable.rawValue, evidence: nil, attempts: 0)
        _ = try perform(
            CommandRequest(
                session: session.row.id, command: .parkDelivery(parking), commandID: commandID, actor: "sync",
                body: Ledger.body("park", [.init("delivery", .string(candidate.id.text)), .init("fence", .integer(fence))])))
        return nil
    }

    /// Everything that the worker needs to know about a delivery it has just claimed; nil when the session or its key is gone.
    func describe(
        _ candidate: OutboxWriter.Candidate, destination: DestinationName, offset: Int64
    ) throws(LedgerError) -> ClaimedDelivery? {
        guard let session = try session(number: candidate.sessionNumber), let piece = Piece(code: candidate.pieceCode),
            let work = try translated({ () throws(StorageError) in try outbox.work(candidate.number) }),
            let capture = try capture(candidate.capture, of: session)
        else { return nil }
        var done = DeliveryWork()
        done.attempts = work.attempts
        done.firstSentAtMilliseconds = work.firstSentAtMilliseconds.map { $0 - offset }
        done.contractBreaks = work.contractBreaks
        done.isUnclear = work.isUnclear
        done.statusAddress = try work.statusAddress.map { (sealed) throws(LedgerError) in
            String(decoding: try openNote(sealed, session), as: UTF8.self)
        }
        var frozen: FrozenBody?
        if let sealed = work.frozen {
            frozen = FrozenBody(encoded: try openFrozen(sealed, candidate.id, session))
            // other bytes under the same key are what must never be sent
            if frozen == nil { return nil }
        }
        return ClaimedDelivery(
            id: candidate.id, destination: destination, session: session.row.id, piece: piece, capture: candidate.capture,
            captureAttempt: capture.event.attempt ?? 1, source: capture.event.source,
            media: MediaDescription(
                type: capture.event.media.type, bytes: capture.event.media.bytes, width: capture.event.media.width,
                height: capture.event.media.height, sha256: capture.sha256),
            hologram: piece == .hologram ? try hologram(capture.event, session) : nil, fence: work.fence, claims: work.claims,
            work: done, frozen: frozen)
    }

    private func capture(
        _ id: CaptureID, of session: OpenSession
    ) throws(LedgerError) -> (event: PieceCaptured, sha256: [UInt8])? {
        var found: (PieceCaptured, StoredEvent)?
        try translated { () throws(StorageError) in
            try reader.forEachEvent(ofSession: session.row.number) { (stored) throws(StorageError) in
                guard stored.encoded.isCapture, stored.encoded.captureID == id.uuid,
                    case .pieceCaptured(let event) = try configurations.decode(stored.encoded)
                else { return true }
                found = (event, stored)
                return false
            }
        }
        guard let (event, stored) = found, let secret = try secret(of: stored, session),
            let digest = secret["sha256"]?.asString.flatMap({ Hex.bytes($0) })
        else { return nil }
        return (event, digest)
    }

    private func hologram(_ capture: PieceCaptured, _ session: OpenSession) throws(LedgerError) -> HologramFacts? {
        var transaction: String?
        let events = try translated { () throws(StorageError) in try reader.events(ofSession: session.row.number) }
        for stored in events where stored.encoded.mayNameTransaction {
            transaction = try secret(of: stored, session)?["transaction_id"]?.asString ?? transaction
        }
        guard let transaction, let configuration = session.fold.state.configuration?.value,
            let card = configuration.hologramCardType
        else { return nil }
        return HologramFacts(
            rotate: capture.rotation ?? 0, cardType: card.rawValue, transactionID: transaction,
            passMark: configuration.hologramPassMark)
    }

    /// The private half of an event; nil when it has none.
    func secret(of stored: StoredEvent, _ session: OpenSession) throws(LedgerError) -> JSONValue? {
        guard let sealed = stored.sealed, let keyNumber = session.row.keyNumber else { return nil }
        let plain = try unlocked { () throws(VaultError) in
            try vault.sessionKeyInBatch(keyNumber).open(
                sealed, .privateHalf(event: ObjectID(stored.eventID)), session: ObjectID(session.row.id.uuid))
        }
        return try? JSONValue.parse(plain)
    }

    /// Stores the bytes that a delivery, claimed in this transaction, is sent with for ever. False when it was to have others.
    private func freeze(_ body: FrozenBody, of delivery: ClaimedDelivery, number: Int64) throws(LedgerError) -> Bool {
        guard let session = try session(delivery.session) else { return false }
        let encoded = body.encoded
        let sealed = try sealFrozen(encoded, delivery.id, session)
        return try translated { () throws(StorageError) in
            try outbox.freeze(number, fence: delivery.fence, sealed: sealed, bodyDigest: Digests.sha256(encoded))
        }
    }

    func sealFrozen(_ plain: [UInt8], _ delivery: DeliveryID, _ session: OpenSession) throws(LedgerError) -> [UInt8] {
        guard let keyNumber = session.row.keyNumber else { throw .noSession() }
        return try unlocked { () throws(VaultError) in
            try vault.sessionKeyInBatch(keyNumber).seal(
                plain, .frozen(delivery: ObjectID(delivery.uuid)), session: ObjectID(session.row.id.uuid))
        }
    }

    private func openFrozen(_ sealed: [UInt8], _ delivery: DeliveryID, _ session: OpenSession) throws(LedgerError) -> [UInt8] {
        guard let keyNumber = session.row.keyNumber else { throw .noSession() }
        return try unlocked { () throws(VaultError) in
            try vault.sessionKeyInBatch(keyNumber).open(
                sealed, .frozen(delivery: ObjectID(delivery.uuid)), session: ObjectID(session.row.id.uuid))
        }
    }

    /// Seals a small text that may change, under a fresh identifier that stands before it: no key seals two texts.
    func sealNote(_ plain: [UInt8], _ session: OpenSession) throws(LedgerError) -> [UInt8] {
        guard let keyNumber = session.row.keyNumber else { throw .noSession() }
        let id = ObjectID(Identifiers.fresh(atMilliseconds: nowMilliseconds))
        return try unlocked { () throws(VaultError) in
            id.bytes
                + (try vault.sessionKeyInBatch(keyNumber).seal(
                    plain, .privateHalf(event: id), session: ObjectID(session.row.id.uuid)))
        }
    }

    private func openNote(_ sealed: [UInt8], _ session: OpenSession) throws(LedgerError) -> [UInt8] {
        guard let keyNumber = session.row.keyNumber, let id = UUID128(bytes: sealed.prefix(16)) else { throw .noSession() }
        return try unlocked { () throws(VaultError) in
            try vault.sessionKeyInBatch(keyNumber).open(
                Array(sealed.dropFirst(16)), .privateHalf(event: ObjectID(id)), session: ObjectID(session.row.id.uuid))
        }
    }
}
