import EventCoding
import EventStorage
import SQLite
import SchemaFiles
import SessionDomain
import Vault

/// Which sealed files the log names, and which of those it says are gone. It follows the log while it is asked.
final class KnownObjects {
    enum Standing {
        case unknown
        /// The file has to be there.
        case kept
        /// An event says that it was destroyed.
        case gone
    }

    /// Whose it is, and where the log names it.
    private struct Place {
        let session: Int64
        let position: Int64
    }

    private static let page = 512
    private let context: ReadContext
    private var media: [ObjectID: Place] = [:]
    private var evidence: [ObjectID: Int64] = [:]
    /// What was made of a capture's media goes with it.
    private var captureOfCrop: [ObjectID: ObjectID] = [:]
    private var purged: Set<ObjectID> = []
    private var erased: Set<Int64> = []
    private var position: Int64 = 0
    private var attempt: Int64 = 0

    init(_ context: ReadContext) throws(StorageError) {
        self.context = context
        try follow()
    }

    /// As the log stands now: a file that is not known is looked up again in what was appended meanwhile.
    func standing(_ kind: SealedKind, _ id: ObjectID) throws(StorageError) -> Standing {
        let known = look(kind, id)
        if known == .gone { return known }
        try follow()
        return look(kind, id)
    }

    /// Media that has to be there.
    func forEachKeptMedia(_ body: (ObjectID, Int64) throws(StorageError) -> Void) throws(StorageError) {
        for (id, place) in media where look(.media, id) == .kept { try body(id, place.position) }
    }

    /// Answers that have to be there.
    func forEachKeptEvidence(_ body: (ObjectID) throws(StorageError) -> Void) throws(StorageError) {
        for id in evidence.keys where look(.evidence, id) == .kept { try body(id) }
    }

    private func look(_ kind: SealedKind, _ id: ObjectID) -> Standing {
        guard let session = kind == .media ? media[id]?.session : evidence[id] else { return .unknown }
        return erased.contains(session) || kind == .media && purged.contains(captureOfCrop[id] ?? id) ? .gone : .kept
    }

    private func follow() throws(StorageError) {
        while true {
            let events = try context.events.events(after: position, limit: Self.page)
            guard let newest = events.last else { break }
            for event in events { note(event) }
            position = newest.position
        }
        try followAttempts()
    }

    /// An event of a type that only a newer version knows may name a capture too: its file stays.
    private func note(_ event: StoredEvent) {
        let type = EventType(rawValue: event.encoded.type)
        if type == .sessionErased { erased.insert(event.sessionNumber) }
        guard let capture = event.encoded.captureID else { return }
        if type == .mediaPurged { purged.insert(ObjectID(capture)) }
        if type == .pieceCaptured || type == nil {
            media[ObjectID(capture)] = Place(session: event.sessionNumber, position: event.position)
        }
        if let crop = event.encoded.pageCrop {
            media[ObjectID(crop.id.uuid)] = Place(session: event.sessionNumber, position: event.position)
            captureOfCrop[ObjectID(crop.id.uuid)] = ObjectID(capture)
        }
    }

    private func followAttempts() throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(context.connection, SchemaFiles.evidenceAfter)
            statement.bind(attempt, at: 1)
            statement.bind(Int64.max, at: 2)
            while try statement.step() {
                attempt = statement.int64(0)
                guard let words = statement.words(1) else { continue }
                evidence[ObjectID(high: words.0, low: words.1)] = statement.int64(2)
            }
        }
    }
}
