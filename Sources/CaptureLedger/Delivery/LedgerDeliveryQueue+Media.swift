package import DeliveryMachine
import EventStorage
package import SessionDomain
import Vault

extension LedgerDeliveryQueue: MediaSource {
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
            throw .media(error)
        }
    }
}

/// A sealed original, opened a chunk at a time.
private final class SealedMedia: MediaReader {
    private let reader: SealedReader

    init(_ reader: SealedReader) { self.reader = reader }

    var byteCount: Int64 { reader.byteCount }

    func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
        do { return try reader.read(at: offset, limit: limit) } catch { throw .media(LedgerError(error)) }
    }
}

extension DeliveryFault {
    /// What is gone on purpose, what cannot be had at present, and what will never open are three things: only the last is
    /// given up.
    fileprivate static func media(_ error: LedgerError) -> DeliveryFault {
        let code: Code =
            switch error.code.rawValue {
            case "session_erased", "key_destroyed": .mediaGone
            case _ where error.isRetryable: .mediaUnavailable
            default: .mediaUnreadable
            }
        return DeliveryFault(code, message: error.message, remedy: error.remedy)
    }
}

extension Ledger {
    func vaultOrThrow() throws(VaultError) -> Vault {
        guard let vault else { throw VaultError(.masterKeyMissing) }
        return vault
    }
}
