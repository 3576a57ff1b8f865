import EventCoding
import EventStorage
import SessionDomain
import Vault

/// What the events name and hold beyond their own bytes: sealed originals and private halves.
struct ContentCheck {
    let files: SealedFiles
    let vault: Vault?
    let reader: EventReader

    func check(_ event: StoredEvent, into report: inout VerificationReport) throws(StorageError) {
        if let sealed = event.sealed { try open(sealed, of: event, into: &report) }
        switch EventType(rawValue: event.encoded.type) {
        case .pieceCaptured: try checkMedia(of: event, into: &report)
        case .pieceChecked: try checkCrop(of: event, into: &report)
        case .sessionErased: try checkErasure(event, into: &report)
        case .pieceVerified, .pieceRejected, .pieceDeliveryParked: try checkAttempt(of: event, into: &report)
        default: break
        }
    }

    private func open(_ sealed: [UInt8], of event: StoredEvent, into report: inout VerificationReport) throws(StorageError) {
        guard let session = try reader.session(number: event.sessionNumber), let key = try key(of: session, event, &report)
        else { return }
        do {
            _ = try key.open(
                sealed, .privateHalf(event: ObjectID(event.eventID)), session: ObjectID(session.id.uuid))
            report.openedPrivateHalves += 1
        } catch {
            if error.code == .keyDestroyed { return }
            report.add(.privateUnreadable, at: event.position, "The private half does not open. \(error.message)")
        }
    }

    private func checkErasure(_ event: StoredEvent, into report: inout VerificationReport) throws(StorageError) {
        guard let vault, let number = try reader.session(number: event.sessionNumber)?.keyNumber,
            try !isUnfinished(event.sessionNumber)
        else { return }
        do {
            if try vault.keyState(number) == .active {
                report.add(.erasedKeyAlive, at: event.position, "The session is erased and its key still opens.")
            }
        } catch {
            report.add(.keyUnreadable, at: event.position, error.message)
        }
    }

    /// A sealed file and what its event says of it.
    private struct Named {
        let id: ObjectID
        let sealedBytes: Int64
        let sealedDigest: Digest256
        let commitment: Digest256
        /// As a person calls it.
        let name: String
    }

    private func checkMedia(of event: StoredEvent, into report: inout VerificationReport) throws(StorageError) {
        guard let id = event.encoded.captureID, let captured = decoded(event) else {
            report.add(.factsUnreadable, at: event.position, "What was captured cannot be read.")
            return
        }
        try check(
            Named(
                id: ObjectID(id), sealedBytes: captured.sealedBytes, sealedDigest: captured.sealedDigest,
                commitment: captured.commitment, name: "original"), of: event, into: &report)
    }

    private func checkCrop(of event: StoredEvent, into report: inout VerificationReport) throws(StorageError) {
        guard let crop = event.encoded.pageCrop else { return }
        try check(
            Named(
                id: ObjectID(crop.id.uuid), sealedBytes: crop.sealedBytes, sealedDigest: crop.sealedDigest,
                commitment: crop.commitment, name: "page crop"), of: event, into: &report)
    }

    private func check(_ named: Named, of event: StoredEvent, into report: inout VerificationReport) throws(StorageError) {
        let found: (byteCount: Int64, digest: [UInt8])
        do {
            let sealed = try files.sealedDigest(.media, named.id)
            found = (sealed.byteCount, sealed.digest.bytes)
        } catch {
            if error.code != .objectMissing {
                report.add(.mediaUnreadable, at: event.position, "The sealed \(named.name) cannot be read. \(error.message)")
            } else if try reasonForAbsence(of: event) == nil {
                if event.position <= files.elsewhereThrough {
                    report.sealedElsewhere += 1
                } else {
                    report.add(.mediaMissing, at: event.position, "The sealed \(named.name) is gone and no event says why.")
                }
            }
            return
        }
        if try isErased(event) {
            if try isUnfinished(event.sessionNumber) { return }
            report.add(
                .erasedMediaPresent, at: event.position, "The session is erased and its sealed \(named.name) is still there.")
            return
        }
        report.media += 1
        if found.byteCount != named.sealedBytes || found.digest != named.sealedDigest.bytes {
            report.add(.mediaAltered, at: event.position, "The sealed \(named.name) is not the one that was taken in.")
        }
        try open(named, of: event, into: &report)
    }

    private func open(_ named: Named, of event: StoredEvent, into report: inout VerificationReport) throws(StorageError) {
        guard let vault, let session = try reader.session(number: event.sessionNumber),
            let key = try key(of: session, event, &report)
        else { return }
        do {
            let digest = try vault.read(.media, named.id, key: key).verify()
            report.openedMedia += 1
            if try key.commitment(of: digest).bytes != named.commitment.bytes {
                report.add(.commitmentWrong, at: event.position, "The \(named.name) is not what the log commits to.")
            }
        } catch {
            if error.code == .keyDestroyed || error.code == .objectMissing { return }
            report.add(.mediaUnreadable, at: event.position, "The sealed \(named.name) does not open. \(error.message)")
        }
    }

    private func decoded(_ event: StoredEvent) -> PieceCaptured? {
        guard case .pieceCaptured(let captured) = try? EventCoder.decode(event.encoded, frozen: { _ in nil }) else {
            return nil
        }
        return captured
    }

    /// The session's key; nil without the vault and for an erased session, whose absence is no problem.
    private func key(
        of session: EventReader.SessionRow, _ event: StoredEvent, _ report: inout VerificationReport
    ) throws(StorageError) -> SessionKey? {
        guard let vault, let number = session.keyNumber else { return nil }
        do {
            return try vault.sessionKey(number)
        } catch {
            if error.code != .keyDestroyed {
                report.add(.keyUnreadable, at: event.position, "The session's key cannot be had. \(error.message)")
            } else if event.version == 1, try !isErasedInLog(session.number), try !isBeingErased(session.number) {
                report.add(.keyLost, at: event.position, "The session's key is destroyed and the log names no erasure.")
            }
            return nil
        }
    }
}
