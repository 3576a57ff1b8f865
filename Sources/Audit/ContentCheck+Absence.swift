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
        return try isBeingErased(event.sessionNumber) ? .erased : nil
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
    func isBeingErased(_ session: Int64) throws(StorageError) -> Bool {
        try reader.erasureProgress(session: session) != nil
    }

    /// An erasure that was interrupted: it is finished when the ledger is opened for writing.
    func isUnfinished(_ session: Int64) throws(StorageError) -> Bool {
        guard let progress = try reader.erasureProgress(session: session) else { return false }
        return progress.sweptAtMilliseconds == nil
    }
}

extension ObjectID {
    init(_ id: UUID128) { self.init(high: id.high, low: id.low) }
}
