import Audit
import EventStorage
import SQLite
import SessionDomain
import Vault

/// A session's events as an export shows them, read a page at a time whenever they are asked for: a session may have any number of them.
/// The first pass says how far they go; what is appended later is not in them.
final class SessionEvents {
    private static let page = 256

    private let ledger: Ledger
    private let id: SessionID
    private let number: Int64
    /// nil for an erased session, and for a redacted export.
    private let key: SessionKey?
    private let isErased: Bool
    /// Of the ledger's own stream, which names a session seldom.
    private var others: [ReportContent.Event] = []
    private var lastVersion = Int64.max

    init(
        _ ledger: Ledger, _ row: EventReader.SessionRow, _ key: SessionKey?, isErased: Bool
    ) throws(LedgerError) {
        self.ledger = ledger
        self.key = key
        self.isErased = isErased
        (id, number) = (row.id, row.number)
        let rows = try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try EvidenceRows.ledgerEvents(naming: row.id.uuid, ledgerID: ledger.ledgerID, context.connection)
            }
        }
        for row in rows { others.append(try event(row)) }
    }

    func readEach(_ body: (ReportContent.Event) throws(LedgerError) -> Void) throws(LedgerError) {
        var waiting = others[...]
        var version: Int64 = 0
        while version < lastVersion {
            let rows = try rows(after: version)
            if rows.isEmpty { break }
            for row in rows where version < lastVersion {
                let event = try event(row)
                while let other = waiting.first, other.record.position < event.record.position {
                    try body(other)
                    waiting.removeFirst()
                }
                try body(event)
                version = event.record.version
            }
        }
        lastVersion = version
        for other in waiting { try body(other) }
    }

    /// The session's event at this position; nil where another one stands there.
    func event(at position: Int64) throws(LedgerError) -> ReportContent.Event? {
        let row = try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try EvidenceRows.event(at: position, id: id.uuid, context.connection)
            }
        }
        return try row.map { (row) throws(LedgerError) in try event(row) }
    }

    private func rows(after version: Int64) throws(LedgerError) -> [[UInt8]] {
        try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try EvidenceRows.events(
                    ofSession: number, id: id.uuid, after: version, limit: Self.page, context.connection)
            }
        }
    }

    private func event(_ row: [UInt8]) throws(LedgerError) -> ReportContent.Event {
        guard let record = EventRecord(row: row) else {
            throw LedgerError(
                code: .init(rawValue: "ledger_damaged"), message: "An event of the session cannot be read.",
                remedy: "Run `audit verify` and `doctor`.")
        }
        return ReportContent.Event(record, privateHalf(of: record))
    }

    private func privateHalf(of record: EventRecord) -> PrivateHalf {
        guard let sealed = record.sealed else { return .none }
        guard let key else { return isErased ? .destroyed : .sealed }
        let object = SessionKey.SmallObject.privateHalf(event: ObjectID(record.eventID))
        guard let content = try? key.open(sealed, object, session: ObjectID(id.uuid)), let own = try? key.disclosed(object)
        else { return .unreadable }
        return .open(content: content, key: own)
    }
}
