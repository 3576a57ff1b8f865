package import EventStorage
import SessionDomain

/// The moment of which something is asked.
package enum AsOf: Sendable, Equatable {
    case now
    /// After the session's event of this version.
    case version(Int64)
    /// When the ledger had come this far.
    case position(Int64)
    /// By the store's clock: what was recorded at that time or before.
    case time(milliseconds: Int64)

    package func includes(_ event: StoredEvent) -> Bool {
        switch self {
        case .now: true
        case .version(let version): event.version <= version
        case .position(let position): event.position <= position
        case .time(let time): event.recordedAtMilliseconds <= time
        }
    }
}

extension ReadContext {
    /// Refuses a moment of which nothing can be said: an answer about another one would be taken for it.
    ///
    /// - Parameters:
    ///   - folded: the version that was reached.
    ///   - newest: the newest one that there is.
    func check(_ moment: AsOf, of session: Int64, folded: Int64, newest: Int64) throws(LedgerError) {
        switch moment {
        case .version(let version) where version > newest: throw .noVersion(version, newest: newest)
        case .position(let position):
            let last = try translated { () throws(StorageError) in try events.lastPosition() }
            guard position <= last else { throw .noPosition(position, newest: last) }
        case .now, .version, .time: break
        }
        guard moment != .now, folded == 0, newest > 0 else { return }
        var first: StoredEvent?
        try translated { () throws(StorageError) in
            try events.forEachEvent(ofSession: session) { (event) throws(StorageError) in
                first = event
                return false
            }
        }
        if let first { throw .notBegun(first) }
    }
}

extension LedgerError {
    fileprivate static func noVersion(_ version: Int64, newest: Int64) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "no_such_version"),
            message: "The session is at version \(newest); version \(version) is not there yet.",
            remedy: "Ask for a version from 1 to \(newest).")
    }

    fileprivate static func noPosition(_ position: Int64, newest: Int64) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "no_such_position"),
            message: "The ledger has come to position \(newest); position \(position) is not there yet.",
            remedy: "Ask for a position from 1 to \(newest).")
    }

    fileprivate static func notBegun(_ first: StoredEvent) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "not_begun"),
            message:
                "The session had not begun by then: it began at \(TimeText.text(first.recordedAtMilliseconds)), position \(first.position).",
            remedy: "Ask for a later moment.")
    }
}
