import Audit
import DeliveryMachine
import EventStorage
import Outbox
import SessionDomain
import Vault

/// What the database says about one session, for an export: what is needed at once, and where the rest is read from.
struct CollectedSession {
    struct Delivery {
        let row: DeliveryRow
        fileprivate(set) var attempts: [StoredAttempt]
        /// Of the frozen bytes, where the delivery was sent.
        fileprivate(set) var bodyDigest: [UInt8]?
        fileprivate(set) var request: FrozenBody?

        /// How much of it there is by now. Attempts are added and bytes are frozen; nothing of either changes.
        var extent: Extent { Extent(attempts: attempts.count, isFrozen: bodyDigest != nil) }

        func upTo(_ extent: Extent) -> Delivery {
            var past = self
            past.attempts = Array(attempts.prefix(extent.attempts))
            if !extent.isFrozen { (past.bodyDigest, past.request) = (nil, nil) }
            return past
        }
    }

    struct Extent {
        let attempts: Int
        let isFrozen: Bool
    }

    /// A sealed file that an event names.
    struct Media {
        let named: EventRecord.NamedMedia
        /// Whose it is, or was made of.
        let capture: UUID128
    }

    let id: SessionID
    let view: SessionView
    let isErased: Bool
    /// nil for an erased session, and for a redacted export.
    let key: SessionKey?
    let events: SessionEvents
    /// Read after the events: what an outcome rests on is among them.
    private(set) var deliveries: [DeliveryRow] = []
    /// Canonical text.
    private(set) var configuration: String?

    private(set) var outline = ReportContent.Outline()
    /// In the order of the events.
    private(set) var positions: [Int64] = []
    private(set) var media: [Media] = []
    /// Why an original is gone, by its capture.
    private(set) var purges: [UUID128: String] = [:]
    /// Identities of the policies that judgements name.
    private(set) var policies: Set<String> = []

    fileprivate init(
        _ id: SessionID, _ view: SessionView, isErased: Bool, _ key: SessionKey?, _ events: SessionEvents
    ) throws(LedgerError) {
        (self.id, self.view, self.isErased, self.key, self.events) = (id, view, isErased, key, events)
        try events.readEach { (event) throws(LedgerError) in take(event) }
    }

    private mutating func take(_ event: ReportContent.Event) {
        let record = event.record
        outline.add(event, of: id.uuid)
        positions.append(record.position)
        if let policy = record.facts["policy_version"]?.asString { policies.insert(policy) }
        guard let capture = record.captureID else { return }
        for named in [record.original, record.crop].compactMap(\.self) { media.append(Media(named: named, capture: capture)) }
        if record.type == .mediaPurged, purges[capture] == nil {
            purges[capture] = "it was destroyed at position \(record.position): \(record.reason ?? "purged")"
        }
    }

    fileprivate mutating func find(_ row: EventReader.SessionRow, _ context: ReadContext) throws(StorageError) {
        deliveries = try context.outbox.deliveries(ofSession: row.number)
        guard let digest = outline.start?.record.facts["configuration"]?.asString else { return }
        configuration = try context.events.configuration(digest)
    }
}

extension Ledger {
    func collect(_ id: SessionID, _ options: EvidenceExportOptions) throws(LedgerError) -> CollectedSession {
        let view = try session(id)
        let isErased = view.flow.status == .erased
        let key = options.isRedacted || isErased ? nil : try sessionKey(id)
        let found = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.session(id) }
        }
        guard let row = found else { throw .noSession() }
        let events = try SessionEvents(self, row, key, isErased: isErased)
        var collected = try CollectedSession(id, view, isErased: isErased, key, events)
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try collected.find(row, context) }
        }
        return collected
    }

    /// The requests of a delivery, and what was sent in them where that can be opened.
    func details(of row: DeliveryRow, in collected: CollectedSession) throws(LedgerError) -> CollectedSession.Delivery {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let attempts = try EvidenceRows.attempts(ofDelivery: row.number, context.connection)
                let frozen = try context.outbox.frozen(ofDelivery: row.number)
                let plain = frozen.sealed.flatMap { sealed in
                    try? collected.key?.open(
                        sealed, .frozen(delivery: ObjectID(row.id.uuid)), session: ObjectID(collected.id.uuid))
                }
                return CollectedSession.Delivery(
                    row: row, attempts: attempts.compactMap { StoredAttempt(row: $0) }, bodyDigest: frozen.digest,
                    request: plain.flatMap { FrozenBody(encoded: $0) })
            }
        }
    }
}
