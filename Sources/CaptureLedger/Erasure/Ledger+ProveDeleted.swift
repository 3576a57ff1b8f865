import EventCoding
import EventStorage
import Projections
import SessionDomain
import SystemCalls
import Vault

extension Ledger {
    /// States that a session was erased and that nothing of it is there: the event, the key, the files, the look-ups, the tombstone.
    ///
    /// - Throws: `no_such_session`. What is still there is a problem of the proof, not an error.
    package func proveDeleted(session: SessionID) throws(LedgerError) -> DeletionProof {
        var proof = try look(session, .session)
        if proof.position == nil {
            proof.add("not_erased", "No event says that this session was erased.")
        }
        if proof.keyState != "destroyed" {
            let state = proof.keyState ?? "unknown"
            proof.add("key_not_destroyed", "The session's key is not known to be destroyed: its state is \(state).")
        }
        if !proof.traces.isEmpty {
            proof.add("traces_left", "Look-ups, receipts or frozen metadata of the session are still in the database.")
        }
        if proof.evidencePresent > 0 {
            proof.add("evidence_present", "\(proof.evidencePresent) archived answers of the session are still there.")
        }
        if proof.position != nil, proof.progress?.sweptAtMilliseconds == nil {
            proof.add("erasure_not_finished", "The erasure is not finished; the next opening for writing goes on with it.")
        }
        if proof.tombstone == nil {
            proof.add("tombstone_missing", "The tombstone file does not name the session: a backup could bring it back.")
        }
        for original in proof.originals where original.filesPresent > 0 {
            proof.add("original_present", "Files of capture \(original.capture.text) are still there.")
        }
        return proof
    }

    /// The same for one original, which a rule, an answer or an erasure destroyed.
    ///
    /// - Throws: `no_such_capture`.
    package func proveDeleted(capture: CaptureID) throws(LedgerError) -> DeletionProof {
        guard let session = try captured(capture)?.session else { throw .noCapture }
        var proof = try look(session, .capture(capture))
        proof.originals = proof.originals.filter { $0.capture == capture }
        proof.recipients = proof.recipients.filter { $0.capture == capture }
        for original in proof.originals {
            if original.destroyedPosition == nil, proof.position == nil {
                proof.add("not_destroyed", "No event says that this original was destroyed.")
            }
            if original.filesPresent > 0 {
                proof.add("original_present", "\(original.filesPresent) of its files are still there.")
            }
        }
        return proof
    }

    private func look(_ session: SessionID, _ subject: DeletionProof.Subject) throws(LedgerError) -> DeletionProof {
        var proof = DeletionProof(subject: subject, session: session)
        proof.provedAtMilliseconds = clock.nowMilliseconds()
        let row = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) -> EventReader.SessionRow? in
                guard let row = try context.events.session(session), row.number != 0 else { return nil }
                proof.lastPosition = try context.events.lastPosition()
                proof.progress = try context.events.erasureProgress(session: row.number)
                proof.traces = try context.events.traces(session: row.number)
                try proof.take(context.events.events(ofSession: row.number), files, context.configurations)
                return row
            }
        }
        guard let row else { throw .noSession() }
        proof.keyNumber = row.keyNumber
        if let vault, let number = row.keyNumber {
            proof.keyState = try unlocked { () throws(VaultError) in try vault.keyState(number) }.rawValue
        }
        let evidence = try objects(ofSession: row.number).evidence
        proof.evidence = evidence.count
        proof.evidencePresent = evidence.count { files.isThere(.evidence, $0) }
        proof.tombstone = ((try? rememberedErasures(of: session)) ?? []).last?.json.canonical
        proof.recipients = try recipients(of: session)
        return proof
    }
}

extension DeletionProof {
    fileprivate mutating func add(_ code: String, _ message: String) {
        problems.append(Problem(code: code, message: message))
    }

    fileprivate mutating func take(
        _ events: [StoredEvent], _ files: LedgerFiles, _ configurations: ConfigurationCache
    ) throws(StorageError) {
        var crops: [UUID128: [ObjectID]] = [:]
        var purges: [UUID128: StoredEvent] = [:]
        for event in events {
            if event.encoded.type == EventType.sessionErased.code {
                position = event.position
                erasedAtMilliseconds = event.recordedAtMilliseconds
            }
            guard let capture = event.encoded.captureID else { continue }
            if let crop = event.encoded.pageCrop { crops[capture, default: []].append(ObjectID(crop.id.uuid)) }
            if event.encoded.type == EventType.mediaPurged.code { purges[capture] = purges[capture] ?? event }
        }
        for event in events where event.encoded.isCapture {
            guard let capture = event.encoded.captureID,
                case .pieceCaptured(let fact) = try configurations.decode(event.encoded)
            else { continue }
            let objects = [ObjectID(capture)] + (crops[capture] ?? [])
            originals.append(
                Original(
                    capture: CaptureID(capture), piece: fact.piece.rawValue, bytes: fact.media.bytes,
                    sealedDigest: Hex.text(fact.sealedDigest.bytes), position: event.position,
                    destroyedPosition: purges[capture]?.position ?? position,
                    destroyedAtMilliseconds: purges[capture]?.recordedAtMilliseconds ?? erasedAtMilliseconds,
                    cause: purges[capture]?.encoded.reason ?? (position == nil ? nil : "session_erased"),
                    filesPresent: objects.count { files.isThere(.media, $0) }))
        }
    }
}

extension LedgerFiles {
    fileprivate func isThere(_ kind: SealedKind, _ id: ObjectID) -> Bool {
        // what cannot be looked at is not known to be gone
        do { return try FileStatus.of(sealed(kind, id)) != nil } catch { return true }
    }
}
