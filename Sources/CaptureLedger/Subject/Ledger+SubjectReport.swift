import EventCoding
import EventStorage
import Outbox
import Projections
package import SessionDomain
import Vault

extension Ledger {
    /// What is held about whoever has that reference. That it was given out is on the disk before it is.
    ///
    /// - Throws: `no_such_subject`; `master_key_missing` without the key, since references are looked up by keyed digests.
    package func subjectReport(_ reference: String) throws(LedgerError) -> SubjectReport {
        let sessions = try find(.subject(reference))
        guard !sessions.isEmpty else {
            throw LedgerError(
                code: .init(rawValue: "no_such_subject"), message: "This ledger holds nothing under that reference.",
                remedy:
                    "Check its spelling, and other ledgers. Who was erased is not found by a reference any more; name a session with --session to see what remains of it."
            )
        }
        return try report(reference, sessions)
    }

    /// The same for one session, also an erased one, which nothing personal leads to any more.
    ///
    /// - Throws: `no_such_session`.
    package func subjectReport(session: SessionID) throws(LedgerError) -> SubjectReport { try report(nil, [session]) }

    private func report(_ reference: String?, _ sessions: [SessionID]) throws(LedgerError) -> SubjectReport {
        _ = try keys
        var parts: [SubjectReport.Part] = []
        for session in sessions {
            _ = try self.session(session)
            try recordAccess("subject_report", session, [])
            parts.append(try part(session))
        }
        return SubjectReport(
            reference: reference, madeAtMilliseconds: clock.nowMilliseconds(), ledgerID: ledgerID,
            lastPosition: try lastPosition(), parts: parts, retention: settings.privacy.retention)
    }

    private func part(_ session: SessionID) throws(LedgerError) -> SubjectReport.Part {
        let view = try self.session(session)
        let told = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try SubjectReading(session, context, self) }
        }
        var captures: [SubjectReport.Capture] = []
        for (facts, time) in told.captures {
            let destroyed = told.destroyed[facts.captureID]
            captures.append(
                SubjectReport.Capture(
                    facts: facts, capturedAtMilliseconds: time, hasOriginal: try holdsMedia(of: facts.captureID),
                    destroyedAtMilliseconds: destroyed?.at, destructionCause: destroyed?.cause,
                    judgements: told.judgements.filter { $0.checked.captureID == facts.captureID }))
        }
        return SubjectReport.Part(
            view: view, captures: captures, opened: told.opened, sealed: told.sealed, recipients: try recipients(of: session),
            deliveries: try deliveries(of: session), answers: told.answers, erasure: told.erasure, events: told.events)
    }
}

/// One session's events as a report reads them.
private struct SubjectReading {
    var captures: [(PieceCaptured, Int64)] = []
    var judgements: [(checked: PieceChecked, atMilliseconds: Int64)] = []
    var destroyed: [CaptureID: (at: Int64, cause: String)] = [:]
    var opened: [SubjectReport.Opened] = []
    var sealed = 0
    var answers = 0
    var events = 0
    var erasure: ErasureWindow?

    init(_ session: SessionID, _ context: ReadContext, _ ledger: Ledger) throws(StorageError) {
        guard let row = try context.events.session(session) else { return }
        var told = Self()
        told.erasure = try context.erasureWindow(ofSession: row.number)
        try context.events.forEachEvent(ofSession: row.number) { (stored) throws(StorageError) in
            told.events += 1
            if stored.sealed != nil {
                // closed while an erasure waits
                if let content = ledger.secret(of: stored, session: session, keyNumber: row.keyNumber) {
                    told.opened.append(
                        SubjectReport.Opened(
                            position: stored.position, type: EventType(rawValue: stored.encoded.type)?.name ?? "unknown",
                            recordedAtMilliseconds: stored.recordedAtMilliseconds, content: content))
                } else {
                    told.sealed += 1
                }
            }
            switch try context.configurations.decode(stored.encoded) {
            case .pieceCaptured(let event): told.captures.append((event, stored.recordedAtMilliseconds))
            case .pieceChecked(let event): told.judgements.append((event, stored.recordedAtMilliseconds))
            case .mediaPurged(let event): told.destroyed[event.captureID] = (stored.recordedAtMilliseconds, event.cause)
            default: break
            }
            return true
        }
        for delivery in try context.outbox.deliveries(ofSession: row.number) {
            told.answers += try context.outbox.attempts(ofDelivery: delivery.number).count { $0.evidenceID != nil }
        }
        self = told
    }

    private init() {}
}
