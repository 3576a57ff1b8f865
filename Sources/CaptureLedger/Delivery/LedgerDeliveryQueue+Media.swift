import Cryptography
package import DeliveryMachine
import EventStorage
package import SessionDomain
import Vault

extension LedgerDeliveryQueue: MediaSource {
    /// How old the knowledge may be that a session's key is still there, as in a run that what begins is still wanted.
    private static let looksWithin = Duration.milliseconds(100)

    package func open(_ capture: CaptureID) throws(DeliveryFault) -> any MediaReader {
        guard let session = session(of: capture) else {
            throw DeliveryFault(
                .mediaUnreadable, message: "Media of a capture that was not claimed was asked for.",
                remedy: "Report this fault.")
        }
        do {
            let key = try ledger.sessionKey(session, notOlderThan: Self.looksWithin)
            return SealedMedia(
                try unlocked { () throws(VaultError) in
                    try ledger.vaultOrThrow().read(.media, ObjectID(capture.uuid), key: key)
                }, stillWanted: { [ledger] () throws(LedgerError) in _ = try ledger.sessionKey(session) })
        } catch {
            throw .media(error)
        }
    }
}

/// A sealed original, opened a chunk at a time.
private final class SealedMedia: MediaReader {
    /// Three chunks: a multiple of three bytes, so that their text is whole, and goes on where the next one begins.
    private static let groupBytes = 3 * StreamLayout.chunkByteCount

    /// How long the knowledge may be old that nobody asked for the session's erasure.
    private static let looksEvery = Duration.milliseconds(250)

    private let reader: SealedReader
    private let stillWanted: () throws(LedgerError) -> Void
    private var lookedAt = ContinuousClock.now
    private var plain: [UInt8] = []

    /// - Parameter stillWanted: throws why no more of it may be sent.
    init(_ reader: SealedReader, stillWanted: @escaping () throws(LedgerError) -> Void) {
        self.reader = reader
        self.stillWanted = stillWanted
    }

    /// A large original goes out over minutes: what is erased meanwhile ends there.
    private func look() throws(DeliveryFault) {
        let now = ContinuousClock.now
        guard lookedAt.duration(to: now) >= Self.looksEvery else { return }
        lookedAt = now
        do throws(LedgerError) { try stillWanted() } catch { throw .media(error) }
    }

    var byteCount: Int64 { reader.byteCount }

    func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
        try look()
        do { return try reader.read(at: offset, limit: limit) } catch { throw .media(LedgerError(error)) }
    }

    func read(at offset: Int64, into output: inout OutputSpan<UInt8>) throws(DeliveryFault) {
        try look()
        do { try reader.read(at: offset, into: &output) } catch { throw .media(LedgerError(error)) }
    }

    func readBase64(at offset: Int64, into output: inout OutputSpan<UInt8>) throws(DeliveryFault) {
        let count = Int(min(Int64(min(output.freeCapacity / 4 * 3, Self.groupBytes)), byteCount - offset))
        guard count > 0 else { return }
        try look()
        var plain: [UInt8] = []
        swap(&plain, &self.plain)
        defer { swap(&plain, &self.plain) }
        plain.removeAll(keepingCapacity: true)
        do {
            try plain.append(addingCapacity: count) { span throws(VaultError) in
                while span.count < count { try reader.read(at: offset + Int64(span.count), into: &span) }
            }
        } catch {
            throw .media(LedgerError(error))
        }
        Base64.encode(plain.span, into: &output)
    }
}

extension DeliveryFault {
    /// What is gone on purpose, what cannot be had at present, and what will never open are three things: only the last is
    /// given up.
    fileprivate static func media(_ error: LedgerError) -> DeliveryFault {
        let code: Code =
            switch error.code.rawValue {
            case "session_erased", "key_destroyed": .mediaGone
            // it can be withdrawn: then the delivery goes on
            case "erasure_requested": .mediaUnavailable
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
