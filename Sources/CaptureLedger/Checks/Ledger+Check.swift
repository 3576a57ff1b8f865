import Cryptography
import EventStorage
import MediaChecks
import Projections
package import SessionDomain
import Vault

extension Ledger {
    /// Looks at a capture that is durable already and records what was found. Of two that do so at once one records it, and a capture that
    /// was judged before is left alone.
    ///
    /// - Parameter awaitsScanner: whether a scanner that is not ready leaves the capture as it is; else the capture fails for it (S39).
    /// - Throws: a policy that cannot be read, an original that does not open, what the store cannot do; the capture stays unchecked.
    package func check(
        _ capture: CaptureID, of session: SessionID, awaitsScanner: Bool
    ) throws(LedgerError) -> CheckedCapture {
        let asked = try asking(capture, of: session)
        if let judged = asked.judged { return CheckedCapture(judged, positions: asked.positions) }
        guard asked.isAwaited else { return CheckedCapture(.notAwaited) }
        let judge = try checks.judge
        let key = try sessionKey(session)
        let source = SealedBytes(try open(capture, key))
        let media: SniffedMedia
        do throws(MediaRefusal) {
            media = try MediaSniffer.sniff(source, for: asked.captured.piece, declaredType: nil, limits: settings.media)
        } catch {
            if let fault = source.fault { throw LedgerError(fault) }
            throw LedgerError(code: .init(rawValue: error.code), message: error.message, remedy: error.remedy)
        }
        let judgement = judge.judge(source, media, asked.question, hologram: asked.hologram)
        // an original that does not open says nothing about what was captured
        if let fault = source.fault { throw LedgerError(fault) }
        if let fault = judgement.fault, fault.failure == nil || awaitsScanner && !fault.blamesCapture {
            return CheckedCapture(.unchecked(Obstacle(fault)))
        }
        return try record(judgement, asked, session, key)
    }

    private func open(_ capture: CaptureID, _ key: SessionKey) throws(LedgerError) -> SealedReader {
        let keys = try keys
        return try unlocked { () throws(VaultError) in try keys.read(.media, ObjectID(capture.uuid), key: key) }
    }

    private func record(
        _ judgement: Judgement, _ asked: Asked, _ session: SessionID, _ key: SessionKey
    ) throws(LedgerError) -> CheckedCapture {
        let sealed = try judgement.crop.map { (crop) throws(LedgerError) in try seal(crop, key) }
        var record = RecordChecks(piece: asked.captured.piece, captureID: asked.captured.captureID)
        record.findings = judgement.report.findings
        record.failure = judgement.report.failure
        record.detail = judgement.fault?.detail
        record.policyVersion = judgement.report.policyVersion
        record.page = judgement.report.page
        record.fields = judgement.report.fields
        record.crop = sealed?.crop
        record.secret = sealed?.secret
        do throws(LedgerError) {
            let rules = try checks.judge.rules
            let request = CommandRequest(
                session: session, command: .recordChecks(record), commandID: Self.freshCommandID(clock.nowMilliseconds()),
                body: Self.body("check", [.init("capture", .string(asked.captured.captureID.text))]))
            _ = try writer.writeAndWait { (context) throws(LedgerError) in
                let done = try context.perform(request)
                if case .success(let receipt) = done, !receipt.positions.isEmpty, let rules { try context.register(rules) }
                return done
            }
        } catch {
            if let sealed { try? discard(sealed) }
            throw error
        }
        // from here on an event may name the crop: it goes only when the log was read and names another
        let now = try asking(asked.captured.captureID, of: session)
        if let sealed, now.judged?.crop?.id != sealed.crop.id { try discard(sealed) }
        guard let judged = now.judged ?? now.last else { return CheckedCapture(.notAwaited) }
        return CheckedCapture(judged, positions: now.positions)
    }

    /// A crop whose event is not durable yet; its file is locked as long.
    private struct SealedCrop {
        let crop: PageCrop
        let secret: Secret
        let object: SealedObject
    }

    private func seal(_ crop: RenderedCrop, _ key: SessionKey) throws(LedgerError) -> SealedCrop {
        let keys = try keys
        let id = Identifiers.fresh(atMilliseconds: clock.nowMilliseconds())
        return try unlocked { () throws(VaultError) in
            let object = try keys.write(.media, ObjectID(id), key: key, crop.bytes)
            let facts = PageCrop(
                id: CropID(id), bytes: object.plainByteCount, width: crop.width, height: crop.height,
                commitment: Digest256(words: try key.commitment(of: object.plainDigest)),
                sealedDigest: Digest256(words: object.sealedDigest), sealedBytes: object.sealedByteCount)
            let secret = JSONValue.members([.init("crop_sha256", .string(object.plainDigest.hex))]).canonicalBytes
            return SealedCrop(crop: facts, secret: secret, object: object)
        }
    }

    private func discard(_ sealed: SealedCrop) throws(LedgerError) {
        let keys = try keys
        _ = try unlocked { () throws(VaultError) in try keys.remove(.media, sealed.object.id) }
    }
}

extension Ledger {
    /// A capture and what its session asks about it.
    struct Asked {
        let captured: PieceCaptured
        let question: CheckQuestion
        let hologram: HologramSettings
        let isAwaited: Bool
        /// The judgement that counts.
        let judged: PieceChecked?
        /// The newest one, whether it counts or not.
        let last: PieceChecked?
        /// Of the newest judgement's events.
        let positions: [Int64]
    }

    /// - Throws: `no_such_session`, `no_such_capture`.
    func asking(_ capture: CaptureID, of session: SessionID) throws(LedgerError) -> Asked {
        try read { (context) throws(LedgerError) in
            let row = try translated { () throws(StorageError) in try context.events.session(session) }
            guard let row, row.number != 0 else { throw .noSession() }
            var fold = SessionFold()
            var captured: PieceCaptured?
            var last: PieceChecked?
            var (positions, command): ([Int64], String?) = ([], nil)
            try translated { () throws(StorageError) in
                try context.events.forEachEvent(ofSession: row.number) { (stored) throws(StorageError) in
                    let event = try context.configurations.decode(stored.encoded)
                    fold.apply(event, position: stored.position, recordedAtMilliseconds: stored.recordedAtMilliseconds)
                    switch event {
                    case .pieceCaptured(let event) where event.captureID == capture: captured = event
                    case .pieceChecked(let event) where event.captureID == capture:
                        (last, positions, command) = (event, [stored.position], stored.commandID)
                    case .pieceConfirmed(let event) where event.captureID == capture && stored.commandID == command:
                        positions.append(stored.position)
                    default: break
                    }
                    return true
                }
            }
            guard let captured, let configuration = fold.state.configuration?.value else {
                throw LedgerError(
                    code: .init(rawValue: "no_such_capture"), message: "This session has no capture with that id.",
                    remedy: "Copy it from session show or timeline.")
            }
            let isCurrent = fold.state.pieces[captured.piece].captureID == capture
            return Asked(
                captured: captured, question: CheckQuestion(captured, configuration), hologram: configuration.hologramSettings,
                isAwaited: isCurrent && fold.state.unchecked.contains(captured.piece),
                judged: last.flatMap { $0.late || $0.failure == .scannerNotReady ? nil : $0 }, last: last, positions: positions)
        }
    }
}

extension CheckQuestion {
    /// Uploads have rules of their own where the session gives some (S55).
    init(_ captured: PieceCaptured, _ configuration: CaptureConfiguration) {
        let selfie = captured.source.isUpload ? configuration.selfieUploadChecks : nil
        self.init(
            piece: captured.piece, source: captured.source, passport: configuration.passportChecks,
            selfie: selfie ?? configuration.selfieChecks, measurements: captured.measurements)
    }
}
