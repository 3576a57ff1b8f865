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
        case .sessionErased: try checkErasure(event, into: &report)
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

    private func checkMedia(of event: StoredEvent, into report: inout VerificationReport) throws(StorageError) {
        guard let id = event.encoded.captureID, let captured = decoded(event) else {
            report.add(.factsUnreadable, at: event.position, "What was captured cannot be read.")
            return
        }
        let object = ObjectID(id)
        let found: (byteCount: Int64, digest: [UInt8])
        do {
            let sealed = try files.sealedDigest(.media, object)
            found = (sealed.byteCount, sealed.digest.bytes)
        } catch {
            if error.code != .objectMissing {
                report.add(.mediaUnreadable, at: event.position, "The sealed original cannot be read. \(error.message)")
            } else if try reasonForAbsence(of: event) == nil {
                report.add(.mediaMissing, at: event.position, "The sealed original is gone and no event says why.")
            }
            return
        }
        if try isErased(event) {
            if try isUnfinished(event.sessionNumber) { return }
            report.add(.erasedMediaPresent, at: event.position, "The session is erased and its sealed original is still there.")
            return
        }
        report.media += 1
        if found.byteCount != captured.sealedBytes || found.digest != captured.sealedDigest.bytes {
            report.add(.mediaAltered, at: event.position, "The sealed original is not the one that was taken in.")
        }
        try openMedia(object, captured, of: event, into: &report)
    }

    private func openMedia(
        _ object: ObjectID, _ captured: PieceCaptured, of event: StoredEvent, into report: inout VerificationReport
    ) throws(StorageError) {
        guard let vault, let session = try reader.session(number: event.sessionNumber),
            let key = try key(of: session, event, &report)
        else { return }
        do {
            let digest = try vault.read(.media, object, key: key).verify()
            report.openedMedia += 1
            if try key.commitment(of: digest).bytes != captured.commitment.bytes {
                report.add(.commitmentWrong, at: event.position, "The original is not what the log commits to.")
            }
        } catch {
            if error.code == .keyDestroyed || error.code == .objectMissing { return }
            report.add(.mediaUnreadable, at: event.position, "The sealed original does not open. \(error.message)")
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
            } else if event.version == 1, try !isErasedInLog(session.number), try !isBeingErased(session.id) {
                report.add(.keyLost, at: event.position, "The session's key is destroyed and the log names no erasure.")
            }
            return nil
        }
    }
}
