import Cryptography
import EventStorage
import MediaChecks
import Projections
package import SessionDomain
import SystemCalls
import Vault

/// Media to take in.
package struct CaptureRequest: Sendable {
    package var session: SessionID
    package var piece: Piece
    package var path: String
    package var source: CaptureSource
    /// What the client says the type is; the bytes decide.
    package var declaredType: String?
    /// Degrees, as the client gave them (S82).
    package var rotation: Int?
    /// nil: as the session's configuration says.
    package var confirm: Bool?
    /// Unlinks the client's file once its event is durable (S88).
    package var consumesFile = false
    package var measurements: [Measurement] = []
    package var fields: FieldDetections?
    package var options = CommandOptions()

    package init(session: SessionID, piece: Piece, path: String, source: CaptureSource) {
        self.session = session
        self.piece = piece
        self.path = path
        self.source = source
    }
}

/// What became of a capture; durable either way.
package struct CaptureResultReceipt: Sendable {
    package enum Outcome: Sendable, Equatable {
        case captured(CaptureID, attempt: Int)
        /// Recorded as `capture_refused`; no attempt was counted.
        case refused(CaptureFailure, detail: String?, message: String, remedy: String)
    }

    package let outcome: Outcome
    package let media: MediaFacts?
    package var receipt: CommandReceipt
    /// What the checks said, where the session requires them before it goes on; nil where nothing was asked.
    package var check: CheckedCapture?
    /// As the transaction that captured it saw the session.
    fileprivate var requiresChecks = false
}

extension Ledger {
    /// Takes media in, and has it checked where the session requires that: it is durable before it is looked at, so that a crash
    /// between leaves it captured and unchecked.
    ///
    /// - Throws: `no_such_file`, `storage_low`, the domain's refusals, `command_id_conflict`. The client's file is untouched then.
    package func capture(_ request: CaptureRequest) throws(LedgerError) -> CaptureResultReceipt {
        var done = try takeIn(request)
        guard case .captured(let capture, _) = done.outcome, done.requiresChecks else { return done }
        // whatever keeps the check from being done, the capture is safe
        do throws(LedgerError) {
            let check = try check(capture, of: request.session, awaitsScanner: false)
            done.check = check
            done.receipt = done.receipt.followed(by: check.positions)
        } catch { done.check = CheckedCapture(.unchecked(Obstacle(error))) }
        return done
    }

    /// Looks at the media's header, seals it durably, then appends the event that names it. Memory does not grow with the file.
    private func takeIn(_ request: CaptureRequest) throws(LedgerError) -> CaptureResultReceipt {
        let source = try FileBytes.opening(request.path)
        let commandID = request.options.commandID ?? Self.freshCommandID(clock.nowMilliseconds())
        let key = try sessionKey(request.session)
        if request.options.commandID == nil { try checkTurn(request) }
        let media: SniffedMedia
        do {
            media = try MediaSniffer.sniff(
                source, for: request.piece, declaredType: request.declaredType, limits: settings.media)
        } catch {
            return try refuse(request, error, source, key, commandID)
        }
        try requireSpace(for: source.size)
        let sealed = try seal(source, request, key)
        return try append(request, media, sealed, key, commandID)
    }

    /// Refuses what would be refused anyway before a large file is sealed for nothing. A command that names its id may be a repetition
    /// and is not asked: its receipt comes first.
    private func checkTurn(_ request: CaptureRequest) throws(LedgerError) {
        try read { (context) throws(LedgerError) in
            let fold = try translated { () throws(StorageError) in
                guard let row = try context.events.session(request.session) else { return SessionFold() }
                return try context.events.fold(session: row.number, context.configurations)
            }
            do throws(Rejection) { try SessionDecider.checkTurn(request.piece, fold.state) } catch { throw LedgerError(error) }
        }
    }

    /// Refuses before anything is half written.
    private func requireSpace(for bytes: Int64) throws(LedgerError) {
        let free = try called { () throws(SystemError) in try FileSystem.freeBytes(at: files.folder) }
        guard free - bytes < settings.storageReserveBytes else { return }
        throw LedgerError(
            code: .init(rawValue: "storage_low"),
            message:
                "Taking in this file would leave less than \(settings.storageReserveBytes >> 20) MiB free on the ledger's disk.",
            remedy: "Free some space, or lower storage.reserve_bytes, then repeat the command with the same command id.",
            isRetryable: true)
    }

    private func seal(
        _ source: FileBytes, _ request: CaptureRequest, _ key: SessionKey
    ) throws(LedgerError) -> SealedObject {
        let keys = try keys
        let id = Identifiers.fresh(atMilliseconds: clock.nowMilliseconds())
        let writer = try unlocked { () throws(VaultError) in try keys.write(.media, ObjectID(id), key: key) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset: Int64 = 0
        do throws(LedgerError) {
            while true {
                let count = try called { () throws(SystemError) in
                    var span = buffer.mutableSpan
                    return try source.file.read(into: &span, at: offset)
                }
                if count == 0 { break }
                try unlocked { () throws(VaultError) in try writer.append(buffer.span.extracting(0..<count)) }
                offset += Int64(count)
            }
            return try unlocked { () throws(VaultError) in try writer.finish() }
        } catch {
            writer.abort()
            throw error
        }
    }

    private func append(
        _ request: CaptureRequest, _ media: SniffedMedia, _ sealed: SealedObject, _ key: SessionKey, _ commandID: CommandID
    ) throws(LedgerError) -> CaptureResultReceipt {
        let commitment = try unlocked { () throws(VaultError) in Digest256(words: try key.commitment(of: sealed.plainDigest)) }
        let captureID = CaptureID(UUID128(high: sealed.id.high, low: sealed.id.low))
        let facts = media.facts
        let command = CapturePiece(
            piece: request.piece, captureID: captureID, source: request.source, media: facts, commitment: commitment,
            sealedDigest: Digest256(words: sealed.sealedDigest), sealedBytes: sealed.sealedByteCount,
            rotation: request.rotation,
            measurements: request.measurements, fields: request.fields, confirm: request.confirm,
            secret: JSONValue.members([.init("sha256", .string(sealed.plainDigest.hex))]).canonicalBytes)
        let capturing = CommandRequest(
            session: request.session, command: .capture(command), commandID: commandID,
            expectedVersion: request.options.expectedVersion,
            occurredAtMilliseconds: request.options.occurredAtMilliseconds, actor: request.options.actor,
            correlationID: request.options.correlationID, body: Self.body(request, sealed.plainDigest.hex))
        let taken: (receipt: CommandReceipt, requiresChecks: Bool)
        do throws(LedgerError) {
            taken = try writer.writeAndWait { (context) throws(LedgerError) in
                let result = try context.perform(capturing)
                guard case .success(let receipt) = result, let open = try context.session(request.session) else {
                    return result.map { ($0, false) }
                }
                if !receipt.isRepeat {
                    let lookup = context.vault.lookupDigest(.media, sealed.plainDigest.bytes)
                    try translated { () throws(StorageError) in
                        try context.writer.insertLookup(.media, digest: lookup, session: open.row.number)
                    }
                }
                return .success((receipt, open.fold.state.configuration?.value.checks == .required))
            }
        } catch {
            _ = try? keys.remove(.media, sealed.id)
            throw error
        }
        var done = try outcome(of: taken.receipt, facts)
        done.requiresChecks = taken.requiresChecks
        if case .captured(let named, _) = done.outcome, named == captureID {} else { _ = try? keys.remove(.media, sealed.id) }
        if request.consumesFile { _ = try? FileSystem.remove(request.path) }
        withExtendedLifetime(sealed) {}
        return done
    }

    /// Records media that could not be taken in.
    private func refuse(
        _ request: CaptureRequest, _ refusal: MediaRefusal, _ source: FileBytes, _ key: SessionKey,
        _ commandID: CommandID
    ) throws(LedgerError) -> CaptureResultReceipt {
        let command = RefuseCapture(
            piece: request.piece, source: request.source, failure: CaptureFailure(rawValue: refusal.code),
            detail: refusal.detail,
            bytes: source.size, commitment: nil, secret: nil)
        let receipt = try perform(
            .refuseCapture(command), "capture",
            [
                .init("piece", .string(request.piece.rawValue)), .init("source", .string(request.source.rawValue)),
                .init("refused", .string(refusal.label)), .init("bytes", .integer(source.size)),
            ], request.session, withID(request.options, commandID))
        return CaptureResultReceipt(
            outcome: .refused(
                CaptureFailure(rawValue: refusal.code), detail: refusal.detail, message: refusal.message, remedy: refusal.remedy
            ),
            media: nil, receipt: receipt)
    }

    private func withID(_ options: CommandOptions, _ id: CommandID) -> CommandOptions {
        var options = options
        options.commandID = id
        return options
    }

    /// Reads what the command appended, now or the first time it came.
    private func outcome(of receipt: CommandReceipt, _ facts: MediaFacts) throws(LedgerError) -> CaptureResultReceipt {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var done: CaptureResultReceipt?
                for position in receipt.positions {
                    guard let stored = try context.events.events(after: position - 1, through: position, limit: 1).first,
                        let event = try context.configurations.decode(stored.encoded)
                    else { continue }
                    switch event {
                    case .pieceCaptured(let captured):
                        done = CaptureResultReceipt(
                            outcome: .captured(captured.captureID, attempt: captured.attempt ?? 1), media: captured.media,
                            receipt: receipt)
                    case .captureRefused(let refused):
                        let text = refused.failure.text
                        return CaptureResultReceipt(
                            outcome: .refused(
                                refused.failure, detail: refused.detail, message: text.staff, remedy: text.remedy),
                            media: facts, receipt: receipt)
                    // what needs no pipeline, such as a face that was not seen
                    case .pieceChecked(let checked): done?.check = CheckedCapture(checked)
                    default: continue
                    }
                }
                if let done { return done }
                throw StorageError(
                    .corrupt, message: "The receipt of this capture names no capture.", remedy: "Run `audit verify`.")
            }
        }
    }

    private static func body(_ request: CaptureRequest, _ sha256: String) -> [UInt8] {
        var members: [JSONValue.Member] = [
            .init("piece", .string(request.piece.rawValue)), .init("source", .string(request.source.rawValue)),
            .init("sha256", .string(sha256)),
        ]
        if let rotation = request.rotation { members.append(.init("rotation", .integer(Int64(rotation)))) }
        if let confirm = request.confirm { members.append(.init("confirm", .bool(confirm))) }
        return body("capture", members)
    }
}

extension SniffedMedia {
    /// What of it goes into the log.
    var facts: MediaFacts {
        MediaFacts(type: type.rawValue, bytes: bytes, width: width, height: height, orientation: orientation, flags: flags)
    }
}
