import EventStorage
import Outbox
import Projections
import SessionDomain

extension Ledger {
    private static let pageOfSessions = 128
    /// A worker's run looks at no more than this and goes on there the next time.
    private static let sessionsOfARun = 1_024

    /// Destroys the originals that the retention rules of the settings name, and what crashes left; the record of what was decided,
    /// and each original's commitment, stays. What waits for its delivery is kept, as is a session in its undo window.
    ///
    /// - Parameter isDry: says what would go, and changes nothing.
    package func purge(isDry: Bool = false) throws(LedgerError) -> PurgeReport {
        if !isDry { try finishDestructions() }
        var report = PurgeReport(isDry: isDry)
        var cursor: Int64 = 0
        while let last = try purgePage(above: cursor, &report) { cursor = last }
        let examination = Examination(self, fixes: !isDry)
        examination.lookAtFiles()
        report.findings = examination.findings.filter { Self.leftovers.contains($0.code) }
        return report
    }

    private static let leftovers: Set<String> = ["staging_left", "orphan_file", "purged_file_present"]

    /// A worker's share: some sessions a run, one after the other over all of them. Nothing without rules.
    @discardableResult
    package func purgeSome() throws(LedgerError) -> PurgeReport {
        var report = PurgeReport(isDry: false)
        if settings.privacy.retention.isEmpty { return report }
        let begin = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.retentionCursor() }
        }
        var cursor = begin
        var isAtEnd = false
        while report.sessions < Self.sessionsOfARun {
            guard let last = try purgePage(above: cursor, &report) else {
                isAtEnd = true
                break
            }
            cursor = last
        }
        let next = isAtEnd ? 0 : cursor
        if next == begin { return report }
        try writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            try translated { () throws(StorageError) in try context.writer.setRetentionCursor(next) }
            return .success(())
        }
        return report
    }

    /// - Returns: the last session of the page; nil behind the last page.
    private func purgePage(above cursor: Int64, _ report: inout PurgeReport) throws(LedgerError) -> Int64? {
        let rules = settings.privacy.retention
        guard let youngest = rules.map(\.ageMilliseconds).min() else { return nil }
        let now = clock.nowMilliseconds()
        let (found, last) = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let page = try context.events.retentionCandidates(
                    above: cursor, begunBy: now - youngest, limit: Self.pageOfSessions)
                let jumps = try ClockJumps(context.connection)
                let erasing = Set(try context.events.erasureRequests().map(\.sessionNumber))
                var found: [PurgeReport.Item] = []
                for (number, session) in page where !erasing.contains(number) {
                    found += try Self.due(
                        number, session, rules, context.events, context.outbox, context.configurations, jumps, now: now)
                }
                report.sessions += page.count
                return (found, page.last?.number)
            }
        }
        if report.isDry { for item in found { report.add(item) } } else { try destroy(found, rules, &report) }
        return last
    }

    private static func due(
        _ number: Int64, _ session: SessionID, _ rules: [RetentionRule], _ events: EventReader, _ outbox: OutboxReader,
        _ configurations: ConfigurationCache, _ jumps: ClockJumps, now: Int64
    ) throws(StorageError) -> [PurgeReport.Item] {
        let aged = try AgedCaptures(session: number, events, configurations)
        var items: [PurgeReport.Item] = []
        for capture in aged.captures {
            let status = aged.due(capture, rules) { mark in
                now - mark.recordedAtMilliseconds - jumps.total(after: mark.position)
            }
            guard let status else { continue }
            items.append(
                .init(
                    session: session, capture: capture.capture, piece: capture.piece, status: status, bytes: capture.bytes,
                    commitment: capture.commitment))
        }
        if items.isEmpty { return [] }
        let waiting = Set(try outbox.deliveries(ofSession: number).filter { $0.status == .waiting }.map(\.capture))
        return items.filter { !waiting.contains($0.capture) }
    }

    /// One transaction for the events of a page, then the files; between them a crash is made good by the next opening.
    private func destroy(
        _ found: [PurgeReport.Item], _ rules: [RetentionRule], _ report: inout PurgeReport
    ) throws(LedgerError) {
        if found.isEmpty { return }
        let sessions = Dictionary(grouping: found, by: \.session)
        let done = try writer.writeAndWait { (context) throws(LedgerError) -> Result<[PurgeReport.Item], LedgerError> in
            var done: [PurgeReport.Item] = []
            for session in sessions.keys.sorted(by: { $0.uuid < $1.uuid }) {
                guard let open = try context.session(session), context.erasureRequests[open.row.number] == nil else { continue }
                // what was decided a moment ago may have changed: somebody had it sent again, say
                let due = try translated { () throws(StorageError) in
                    try Self.due(
                        open.row.number, session, rules, context.reader, OutboxReader(context.connection),
                        context.configurations, context.jumps, now: context.wallMilliseconds)
                }
                for item in due where try context.purge(item, of: open) { done.append(item) }
            }
            return .success(done)
        }
        for item in done { report.add(item) }
        try destroy(done.map { MediaDestruction(capture: $0.capture, session: $0.session) })
    }
}

extension WriteContext {
    /// False where the session refuses it.
    fileprivate func purge(_ item: PurgeReport.Item, of session: OpenSession) throws(LedgerError) -> Bool {
        guard let commandID = CommandID("purge-\(item.capture.text)") else { return false }
        let purge = PurgeMedia(
            piece: item.piece, captureID: item.capture, cause: "retention_\(item.status.rawValue)", bytes: item.bytes,
            commitment: item.commitment)
        let done = try perform(
            CommandRequest(
                session: item.session, command: .purgeMedia(purge), commandID: commandID, actor: "retention",
                body: Ledger.body("purge", [.init("capture", .string(item.capture.text))])))
        guard case .success = done else { return false }
        try translated { () throws(StorageError) in
            try writer.insertMediaDestruction(item.capture, session: session.row.number)
        }
        return true
    }
}
