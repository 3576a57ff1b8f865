import EventCoding
import EventStorage
import Outbox
import Projections
import SQLite
import SchemaFiles
import SessionDomain
import SystemCalls
import Vault

/// Every sealed file that the events and attempts of a database copy name, in their order.
struct BackupContent {
    struct SealedFile {
        let kind: SealedKind
        let id: ObjectID
        let session: Int64
        /// Whose media it is, or was made of; nil for an answer.
        let capture: ObjectID?
        /// SHA-256 of the sealed bytes, where the log says it.
        let digest: [UInt8]?
    }

    private static let page = 256
    let connection: Connection
    let events: EventReader
    private let configurations: ConfigurationCache
    private let span: Span

    /// The part of the log and of the attempts that is looked at.
    struct Span {
        var after: Int64 = 0
        var through: Int64 = .max
        var lastAttempt: Int64 = .max
    }

    init(_ connection: Connection, _ span: Span = Span()) throws(StorageError) {
        self.connection = connection
        self.span = span
        events = try EventReader(connection)
        configurations = ConfigurationCache(events)
    }

    func forEachFile(_ body: (SealedFile) throws(LedgerError) -> Void) throws(LedgerError) {
        try forEachCapture(body)
        try forEachEvidence(body)
    }

    private func forEachCapture(_ body: (SealedFile) throws(LedgerError) -> Void) throws(LedgerError) {
        var position = span.after
        while true {
            let page = try translated { () throws(StorageError) in
                try events.events(after: position, through: span.through, limit: Self.page)
            }
            guard let newest = page.last else { return }
            for event in page {
                if let crop = event.encoded.pageCrop {
                    try body(
                        SealedFile(
                            kind: .media, id: ObjectID(crop.id.uuid), session: event.sessionNumber,
                            capture: event.encoded.captureID.map(ObjectID.init), digest: crop.sealedDigest.bytes))
                }
                guard event.encoded.isCapture,
                    case .pieceCaptured(let captured) = try translated({ () throws(StorageError) in
                        try configurations.decode(event.encoded)
                    })
                else { continue }
                try body(
                    SealedFile(
                        kind: .media, id: ObjectID(captured.captureID.uuid), session: event.sessionNumber,
                        capture: ObjectID(captured.captureID.uuid), digest: captured.sealedDigest.bytes))
            }
            position = newest.position
        }
    }

    private func forEachEvidence(_ body: (SealedFile) throws(LedgerError) -> Void) throws(LedgerError) {
        var last: Int64 = 0
        while true {
            let page = try translated { () throws(StorageError) in
                try stored { () throws(SQLiteError) in
                    let statement = try evidence(above: last)
                    var page: [SealedFile] = []
                    while try statement.step() {
                        last = statement.int64(0)
                        guard let words = statement.words(1) else { continue }
                        page.append(
                            SealedFile(
                                kind: .evidence, id: ObjectID(high: words.0, low: words.1), session: statement.int64(2),
                                capture: nil, digest: nil))
                    }
                    return page
                }
            }
            if page.isEmpty { return }
            for file in page { try body(file) }
        }
    }
}

extension BackupContent {
    private func evidence(above last: Int64) throws(SQLiteError) -> Statement {
        guard span.after > 0 else {
            let statement = try Statement(connection, SchemaFiles.evidenceAfter)
            statement.bind(last, at: 1)
            statement.bind(Self.page, at: 2)
            return statement
        }
        let statement = try Statement(connection, SchemaFiles.evidenceMoved)
        statement.bind(span.after, at: 1)
        statement.bind(last, at: 2)
        statement.bind(span.lastAttempt, at: 3)
        statement.bind(Self.page, at: 4)
        return statement
    }
}

extension ReadContext {
    /// Whether an event by now says that the file is gone: its media was purged, or its session erased.
    func explainsAbsence(of file: BackupContent.SealedFile) throws(LedgerError) -> Bool {
        try translated { () throws(StorageError) in
            var isExplained = false
            try events.forEachEvent(ofSession: file.session) { (event) throws(StorageError) in
                let isErased = event.encoded.type == EventType.sessionErased.code
                let isPurged =
                    event.encoded.type == EventType.mediaPurged.code
                    && event.encoded.captureID.map(ObjectID.init) == (file.capture ?? file.id)
                isExplained = isErased || isPurged
                return !isExplained
            }
            return isExplained
        }
    }
}
