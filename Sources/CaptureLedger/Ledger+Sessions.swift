import EventCoding
package import EventStorage
import Outbox
package import Projections
package import SessionDomain
import Vault

/// A session as it stands, or stood.
package struct SessionView: Sendable {
    package let session: SessionID
    package let flow: FlowView
    package let configuration: CaptureConfiguration?
    package let startedAtMilliseconds: Int64
    package let changedAtMilliseconds: Int64
    package let endedAtMilliseconds: Int64?
    /// The newest event that is in it.
    package let lastPosition: Int64
    /// The session's newest version, whatever moment was asked for.
    package let newestVersion: Int64
    /// JSON as the verifier sent it, by piece; empty for an erased session or without the master key.
    package let payloads: [Piece: String]
    /// What the checks said about each piece's latest capture.
    package let judgements: [Piece: PieceChecked]
}

extension Ledger {
    /// Folds a session's events up to a moment: what would have been answered then.
    ///
    /// - Throws: `no_such_session`; `not_begun` when it began after that moment; `no_such_version` and `no_such_position` for a place
    ///   that the log has not reached.
    package func session(_ id: SessionID, asOf moment: AsOf = .now) throws(LedgerError) -> SessionView {
        try read { (context) throws(LedgerError) in
            let row = try translated { () throws(StorageError) in try context.events.session(id) }
            guard let row, row.number != 0 else { throw .noSession() }
            var fold = SessionFold()
            var payloads: [Piece: String] = [:]
            var judgements: [Piece: PieceChecked] = [:]
            var newest: Int64 = 0
            try translated { () throws(StorageError) in
                try context.events.forEachEvent(ofSession: row.number) { (stored) throws(StorageError) in
                    newest = stored.version
                    guard moment.includes(stored) else { return true }
                    let event = try context.configurations.decode(stored.encoded)
                    fold.apply(event, position: stored.position, recordedAtMilliseconds: stored.recordedAtMilliseconds)
                    if case .pieceCaptured(let captured) = event { judgements[captured.piece] = nil }
                    if case .pieceChecked(let checked) = event, !checked.late { judgements[checked.piece] = checked }
                    if case .pieceVerified(let verified) = event, !verified.late,
                        let payload = secret(of: stored, session: id, keyNumber: row.keyNumber)?["payload"]?.asString
                    {
                        payloads[verified.piece] = payload
                    }
                    return true
                }
            }
            try context.check(moment, of: row.number, folded: fold.state.version, newest: newest)
            guard let flow = FlowView(fold.state) else { throw .noSession() }
            return SessionView(
                session: id, flow: flow, configuration: fold.state.configuration?.value,
                startedAtMilliseconds: fold.startedAtMilliseconds, changedAtMilliseconds: fold.changedAtMilliseconds,
                endedAtMilliseconds: fold.endedAtMilliseconds, lastPosition: fold.lastPosition, newestVersion: newest,
                payloads: payloads,
                judgements: judgements)
        }
    }

    /// The private half of an event; nil when there is none, the key is destroyed, the session is in its undo window, or the master
    /// key is not at hand.
    package func secret(of stored: StoredEvent, session: SessionID, keyNumber: Int64?) -> JSONValue? {
        guard let vault, (try? erasureRequest(of: session)) == .some(nil), let sealed = stored.sealed, let keyNumber,
            let key = try? vault.sessionKey(keyNumber),
            let plain = try? key.open(
                sealed, .privateHalf(event: ObjectID(stored.eventID)), session: ObjectID(session.uuid))
        else { return nil }
        return try? JSONValue.parse(plain)
    }

    /// What sessions can be found by.
    package enum Search: Sendable {
        case clientKey(String)
        /// In any form that ``SubjectReference`` takes for the same.
        case subject(String)
        case transaction(String)
        case group(String)
        /// SHA-256 of the original.
        case media([UInt8])
    }

    package func find(_ search: Search) throws(LedgerError) -> [SessionID] {
        let keys = try keys
        let (kind, digests): (LookupKind, [[UInt8]]) =
            switch search {
            case .clientKey(let value): (.clientKey, [keys.lookupDigest(.clientKey, Array(value.utf8))])
            case .subject(let value):
                (.subject, SubjectReference(value).spellings.map { keys.lookupDigest(.subject, $0) })
            case .transaction(let value): (.transaction, [keys.lookupDigest(.transaction, Array(value.utf8))])
            case .group(let value): (.group, [keys.lookupDigest(.group, Array(value.utf8))])
            case .media(let value): (.media, [keys.lookupDigest(.media, value)])
            }
        return try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var numbers: Set<Int64> = []
                for digest in digests { numbers.formUnion(try context.events.sessions(kind, digest: digest)) }
                var found: [SessionID] = []
                for number in numbers.sorted() {
                    if let row = try context.events.session(number: number) { found.append(row.id) }
                }
                return found
            }
        }
    }

    /// A page of sessions, newest first.
    package func sessions(
        status: String? = nil, phase: String? = nil, before cursor: Int64 = .max, limit: Int
    ) throws(LedgerError) -> [FlowReader.Listed] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try context.flows.list(below: cursor, status: status, phase: phase, limit: limit)
            }
        }
    }

    /// Whether the sealed original of a capture is still there.
    package func holdsMedia(of capture: CaptureID) throws(LedgerError) -> Bool {
        let keys = try keys
        return try unlocked { () throws(VaultError) in try keys.exists(.media, ObjectID(capture.uuid)) }
    }
}
