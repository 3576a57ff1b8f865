import EventCoding
import EventStorage
package import MediaChecks
import Projections
import SessionDomain

/// Reads the whole log in pages and judges each stored judgement again. It writes nothing, opens nothing that is sealed, and needs no more
/// memory for a longer log; erased sessions count too, since findings are facts and nothing personal.
package struct RescoreRun {
    private let ledger: Ledger
    private let policy: CheckPolicy
    private let since: Int64
    private let known: [String: CheckPolicy]
    private var position: Int64 = 0
    package private(set) var report: RescoreReport

    init(_ ledger: Ledger, _ policy: CheckPolicy, since: Int64?) throws(LedgerError) {
        self.ledger = ledger
        self.policy = policy
        self.since = since ?? .min
        var known = [CheckPolicy.standard.identity: CheckPolicy.standard]
        known[policy.identity] = policy
        for registered in try ledger.registeredPolicies() { known[registered.version] = registered.policy }
        self.known = known
        report = RescoreReport(policyVersion: policy.identity)
    }

    /// What would change in the next part of the log; nil at its end.
    package mutating func next() throws(LedgerError) -> [RescoreFlip]? {
        let start = position
        let page = try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try Self.page(after: start, since, context) }
        }
        guard let last = page.last else { return nil }
        position = last
        report.lastPosition = last
        var flips: [RescoreFlip] = []
        for judged in page.judged {
            guard let change = rescore(judged) else { continue }
            flips.append(
                RescoreFlip(
                    position: judged.position, session: judged.session, capture: judged.checked.captureID, change: change))
        }
        return flips
    }

    private mutating func rescore(_ judged: Judged) -> RescoreReport.Change? {
        guard !judged.checked.findings.isEmpty else {
            report.skip(judged.checked, because: "without_findings")
            return nil
        }
        guard let old = judged.checked.policyVersion.flatMap({ known[$0] }) else {
            report.skip(judged.checked, because: "policy_unknown")
            return nil
        }
        let again = Rescoring(
            judged.checked.findings, page: judged.checked.page, judged.question, judged.hologram, from: old, to: policy)
        return report.add(judged.checked, again)
    }

    /// A judgement with what its session asks.
    private struct Judged {
        let position: Int64
        let session: SessionID
        let checked: PieceChecked
        let question: CheckQuestion
        let hologram: HologramSettings
    }

    private struct Page {
        var judged: [Judged] = []
        /// nil at the end of the log.
        var last: Int64?
    }

    private static func page(after start: Int64, _ since: Int64, _ context: ReadContext) throws(StorageError) -> Page {
        var page = Page()
        var asked: Asked?
        for stored in try context.events.events(after: start, limit: 1_000) {
            page.last = stored.position
            guard stored.encoded.type == EventType.pieceChecked.code, stored.recordedAtMilliseconds >= since,
                case .pieceChecked(let checked) = try context.configurations.decode(stored.encoded), !checked.late
            else { continue }
            if asked?.number != stored.sessionNumber { asked = try Asked(stored.sessionNumber, context) }
            guard let session = asked?.session, let captured = asked?.captures[checked.captureID],
                let configuration = asked?.configuration
            else { continue }
            page.judged.append(
                Judged(
                    position: stored.position, session: session, checked: checked,
                    question: CheckQuestion(captured, configuration), hologram: configuration.hologramSettings))
        }
        return page
    }

    /// What one session asked and captured.
    private struct Asked {
        let number: Int64
        let session: SessionID?
        var configuration: CaptureConfiguration?
        var captures: [CaptureID: PieceCaptured] = [:]

        init(_ number: Int64, _ context: ReadContext) throws(StorageError) {
            self.number = number
            session = try context.events.session(number: number)?.id
            var (found, all): (CaptureConfiguration?, [CaptureID: PieceCaptured]) = (nil, [:])
            try context.events.forEachEvent(ofSession: number) { (stored) throws(StorageError) in
                let type = stored.encoded.type
                guard type == EventType.sessionStarted.code || type == EventType.pieceCaptured.code else { return true }
                switch try context.configurations.decode(stored.encoded) {
                case .sessionStarted(let event): found = event.configuration.value
                case .pieceCaptured(let event): all[event.captureID] = event
                default: break
                }
                return true
            }
            (configuration, captures) = (found, all)
        }
    }
}

extension Ledger {
    /// Judges what was judged since a time again by other thresholds.
    ///
    /// - Parameter since: Unix milliseconds; nil: from the beginning.
    package func rescoring(_ policy: CheckPolicy, since: Int64? = nil) throws(LedgerError) -> RescoreRun {
        try RescoreRun(self, policy, since: since)
    }
}
