import Audit
import Cryptography
import DeliveryMachine
import EventStorage
import Outbox
import SQLite
import SchemaFiles
import SessionDomain
import Vault

/// What the database says about one session, read for an export.
struct CollectedSession {
    struct Delivery {
        let row: DeliveryRow
        let attempts: [StoredAttempt]
        /// Of the frozen bytes, where the delivery was sent.
        let bodyDigest: [UInt8]?
        let request: FrozenBody?
    }

    let id: SessionID
    let view: SessionView
    let isErased: Bool
    /// nil for an erased session, and for a redacted export.
    let key: SessionKey?
    let records: [ReportContent.Event]
    let deliveries: [Delivery]
    /// Canonical text.
    let configuration: String?

    var lastVersion: Int64 { records.last { $0.record.session == id.uuid }?.record.version ?? 0 }
}

extension Ledger {
    func collect(_ id: SessionID, _ options: EvidenceExportOptions) throws(LedgerError) -> CollectedSession {
        let view = try session(id)
        let isErased = view.flow.status == .erased
        let key = options.isRedacted || isErased ? nil : try sessionKey(id)
        let ledgerID = ledgerID
        return try read { (context) throws(LedgerError) in
            guard let row = try translated({ () throws(StorageError) in try context.events.session(id) }) else {
                throw .noSession()
            }
            let rows = try translated { () throws(StorageError) in
                let own = try EvidenceRows.events(ofSession: row.number, id: id.uuid, context.connection)
                return own + (try EvidenceRows.ledgerEvents(naming: id.uuid, ledgerID: ledgerID, context.connection))
            }
            var records: [ReportContent.Event] = []
            for bytes in rows {
                guard let record = EventRecord(row: bytes) else {
                    throw LedgerError(
                        code: .init(rawValue: "ledger_damaged"), message: "An event of the session cannot be read.",
                        remedy: "Run `audit verify` and `doctor`.")
                }
                records.append(
                    ReportContent.Event(record, Self.privateHalf(of: record, key, isErased: isErased, session: id)))
            }
            records.sort { $0.record.position < $1.record.position }
            let configuration = try translated { () throws(StorageError) in
                try records.first { $0.record.type == .sessionStarted }?.record.facts["configuration"]?.asString.flatMap {
                    (digest) throws(StorageError) in try context.events.configuration(digest)
                }
            }
            return CollectedSession(
                id: id, view: view, isErased: isErased, key: key, records: records,
                deliveries: try Self.deliveries(of: row, key, context), configuration: configuration)
        }
    }

    private static func privateHalf(
        of record: EventRecord, _ key: SessionKey?, isErased: Bool, session: SessionID
    ) -> PrivateHalf {
        guard let sealed = record.sealed else { return .none }
        guard let key else { return isErased ? .destroyed : .sealed }
        let object = SessionKey.SmallObject.privateHalf(event: ObjectID(record.eventID))
        guard let content = try? key.open(sealed, object, session: ObjectID(session.uuid)),
            let own = try? key.disclosed(object)
        else { return .unreadable }
        return .open(content: content, key: own)
    }

    private static func deliveries(
        of session: EventReader.SessionRow, _ key: SessionKey?, _ context: ReadContext
    ) throws(LedgerError) -> [CollectedSession.Delivery] {
        try translated { () throws(StorageError) in
            var deliveries: [CollectedSession.Delivery] = []
            for row in try context.outbox.deliveries(ofSession: session.number) {
                let attempts = try EvidenceRows.attempts(ofDelivery: row.number, context.connection)
                let frozen = try context.outbox.frozen(ofDelivery: row.number)
                let plain = frozen.sealed.flatMap { sealed in
                    try? key?.open(
                        sealed, .frozen(delivery: ObjectID(row.id.uuid)), session: ObjectID(session.id.uuid))
                }
                deliveries.append(
                    CollectedSession.Delivery(
                        row: row, attempts: attempts.compactMap { StoredAttempt(row: $0) }, bodyDigest: frozen.digest,
                        request: plain.flatMap { FrozenBody(encoded: $0) }))
            }
            return deliveries
        }
    }
}
