import EventCoding
import EventStorage
import SQLite
import SchemaFiles
import SessionDomain
import Vault

/// Why an original may be missing.
enum AbsenceReason {
    case purged
    case erased
}

extension ContentCheck {
    func reasonForAbsence(of event: StoredEvent) throws(StorageError) -> AbsenceReason? {
        var isPurged = false
        try reader.forEachEvent(ofSession: event.sessionNumber, after: event.version) { (later) throws(StorageError) in
            isPurged =
                later.encoded.type == EventType.mediaPurged.code && later.encoded.captureID == event.encoded.captureID
            return !isPurged
        }
        if isPurged { return .purged }
        if try isErased(event) { return .erased }
        return try isBeingErased(event) ? .erased : nil
    }

    func isErased(_ event: StoredEvent) throws(StorageError) -> Bool { try isErasedInLog(event.sessionNumber) }

    func isErasedInLog(_ session: Int64) throws(StorageError) -> Bool {
        var isErased = false
        try reader.forEachEvent(ofSession: session) { (event) throws(StorageError) in
            isErased = event.encoded.type == EventType.sessionErased.code
            return !isErased
        }
        return isErased
    }

    /// Its key is destroyed already and the log will name the erasure when the sweep is done.
    private func isBeingErased(_ event: StoredEvent) throws(StorageError) -> Bool {
        guard let session = try reader.session(number: event.sessionNumber) else { return false }
        return try isBeingErased(session.id)
    }

    /// An erasure that was interrupted: it is finished when the ledger is opened for writing.
    func isUnfinished(_ session: Int64) throws(StorageError) -> Bool {
        try reader.unfinishedErasures().contains { $0.sessionNumber == session }
    }

    func isBeingErased(_ session: SessionID) throws(StorageError) -> Bool {
        try stored { () throws(SQLiteError) in
            let erasures = try Statement(reader.connection, SchemaFiles.erasedSessions)
            while try erasures.step() {
                if let words = erasures.words(0), UUID128(high: words.0, low: words.1) == session.uuid { return true }
            }
            return false
        }
    }
}

extension ObjectID {
    init(_ id: UUID128) { self.init(high: id.high, low: id.low) }
}
