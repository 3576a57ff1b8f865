package import EventCoding
package import EventStorage
package import SessionDomain

/// A session's state with the times that its rows show: the one way in which events become state, live, on load and in a rebuild.
package struct SessionFold: Hashable, Sendable {
    package var state = SessionState.initial
    package var lastPosition: Int64 = 0
    /// Where the session began.
    package var firstPosition: Int64 = 0
    package var startedAtMilliseconds: Int64 = 0
    package var changedAtMilliseconds: Int64 = 0
    package var endedAtMilliseconds: Int64?

    package init() {}

    /// Folds one event; nil for one that this version does not know.
    package mutating func apply(_ event: SessionEvent?, position: Int64, recordedAtMilliseconds: Int64) {
        if let event {
            apply(event, position: position, recordedAtMilliseconds: recordedAtMilliseconds)
        } else {
            state.applyUnknown()
            note(position: position, recordedAtMilliseconds: recordedAtMilliseconds)
        }
    }

    /// Folds one event that this version knows.
    package mutating func apply(_ event: SessionEvent, position: Int64, recordedAtMilliseconds: Int64) {
        state.apply(event)
        note(position: position, recordedAtMilliseconds: recordedAtMilliseconds)
    }

    private mutating func note(position: Int64, recordedAtMilliseconds: Int64) {
        lastPosition = position
        changedAtMilliseconds = recordedAtMilliseconds
        if state.version == 1 {
            startedAtMilliseconds = recordedAtMilliseconds
            firstPosition = position
        }
        if state.status.isOpen {
            endedAtMilliseconds = nil
        } else if endedAtMilliseconds == nil {
            endedAtMilliseconds = recordedAtMilliseconds
        }
    }
}

/// Reads configurations once: sessions share them.
package final class ConfigurationCache {
    private let reader: EventReader
    private var known: [String: FrozenConfiguration] = [:]

    package init(_ reader: EventReader) { self.reader = reader }

    package func remember(_ configuration: FrozenConfiguration, digest: String) { known[digest] = configuration }

    /// The configuration of this digest, or nil when the ledger does not hold it or it cannot be read.
    package func configuration(_ digest: String) -> FrozenConfiguration? {
        if let found = known[digest] { return found }
        guard let text = try? reader.configuration(digest), let value = try? CaptureConfiguration(text: text) else {
            return nil
        }
        let frozen = FrozenConfiguration(value)
        known[digest] = frozen
        return frozen
    }

    /// The event as the domain knows it; nil for a type this version does not know.
    package func decode(_ stored: EncodedEvent) throws(StorageError) -> SessionEvent? {
        do { return try EventCoder.decode(stored, frozen: { configuration($0) }) } catch {
            throw StorageError(.corrupt, message: error.message, remedy: error.remedy)
        }
    }
}

extension EventReader {
    /// Folds a session's stored events.
    package func fold(session number: Int64, _ configurations: ConfigurationCache) throws(StorageError) -> SessionFold {
        var fold = SessionFold()
        try forEachEvent(ofSession: number) { (event) throws(StorageError) in
            let decoded = try configurations.decode(event.encoded)
            fold.apply(decoded, position: event.position, recordedAtMilliseconds: event.recordedAtMilliseconds)
            return true
        }
        return fold
    }
}
