package import DeliveryMachine
import EventStorage
package import SessionDomain
import Vault

extension LedgerDeliveryQueue: MediaSource, EvidenceSink {
    package func open(_ capture: CaptureID) throws(DeliveryFault) -> any MediaReader {
        guard let session = sessionOfCapture[capture] else {
            throw DeliveryFault(
                .mediaUnreadable, message: "Media of a capture that was not claimed was asked for.",
                remedy: "Report this fault.")
        }
        do {
            let key = try ledger.sessionKey(session)
            return SealedMedia(
                try unlocked { () throws(VaultError) in
                    try ledger.vaultOrThrow().read(.media, ObjectID(capture.uuid), key: key)
                })
        } catch {
            let isGone = error.code.rawValue == "session_erased" || error.code.rawValue == "key_destroyed"
            throw DeliveryFault(isGone ? .mediaGone : .mediaUnreadable, message: error.message, remedy: error.remedy)
        }
    }

    package func archive(_ answers: [EndedClaim]) -> [Result<EvidenceReference, DeliveryFault>] {
        answers.map { answer in
            do throws(DeliveryFault) { return .success(try archive(answer.result, for: answer.claim)) } catch {
                return .failure(error)
            }
        }
    }

    private func archive(_ answer: TransferResult, for claim: ClaimedDelivery) throws(DeliveryFault) -> EvidenceReference {
        var bytes = Array("HTTP \(answer.status)\r\n".utf8)
        for header in answer.headers { bytes += Array("\(header.name): \(header.value)\r\n".utf8) }
        bytes += Array("\r\n".utf8)
        bytes += answer.body
        let id = Identifiers.fresh(atMilliseconds: ledger.clock.nowMilliseconds())
        do {
            let key = try ledger.sessionKey(claim.session)
            _ = try unlocked { () throws(VaultError) in
                try ledger.vaultOrThrow().write(.evidence, ObjectID(id), key: key, bytes)
            }
        } catch {
            throw DeliveryFault(.evidenceUnavailable, message: error.message, remedy: error.remedy)
        }
        return EvidenceReference(id: id.text, sha256: Digests.sha256(bytes))
    }
}

/// A sealed original, opened a chunk at a time.
private final class SealedMedia: MediaReader {
    private let reader: SealedReader

    init(_ reader: SealedReader) { self.reader = reader }

    var byteCount: Int64 { reader.byteCount }

    func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
        do { return try reader.read(at: offset, limit: limit) } catch {
            throw DeliveryFault(.mediaUnreadable, message: error.message, remedy: error.remedy)
        }
    }
}

extension Ledger {
    func vaultOrThrow() throws(VaultError) -> Vault {
        guard let vault else { throw VaultError(.masterKeyMissing) }
        return vault
    }
}
