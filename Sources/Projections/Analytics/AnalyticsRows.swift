import SQLite
package import SessionDomain

/// The rows of sessions in the tables of facts, packed for their statements; the order of the values is that of the files
/// `analytics_insert_….sql`.
package final class AnalyticsRows: Sendable {
    let session = PackedRows(), piece = PackedRows(), capture = PackedRows(), refusal = PackedRows(), finding = PackedRows()
    let guidance = PackedRows(), recording = PackedRows(), interaction = PackedRows(), earlierEnd = PackedRows()

    package init() {}

    var all: [PackedRows] {
        [session, piece, capture, refusal, finding, guidance, recording, interaction, earlierEnd]
    }

    /// The tables of `all`.
    static let tables = [
        "session", "piece", "capture", "refusal", "finding", "guidance", "recording", "interaction", "earlier_end",
    ]

    func removeAll() { for rows in all { rows.removeAll() } }

    /// Adds a session's rows; none for one that never started.
    package func add(_ facts: SessionFacts, number: Int64, session id: SessionID) {
        guard facts.started != nil else { return }
        addSession(facts, number, id)
        // in the order of the table's key, not of the session's pieces
        for piece in Piece.allCases { for row in facts.pieces where row.piece == piece { add(row, number) } }
        for row in facts.captures { add(row, number) }
        for row in facts.refusals { add(row, number) }
        for row in facts.findings { add(row, number) }
        for row in facts.guidance { add(row, number) }
        for row in facts.recordings { add(row, number) }
        for row in facts.interactions { add(row, number) }
        for row in facts.earlierEnds { add(row, number) }
    }
}

extension PackedRows {
    fileprivate func append(_ moment: SessionFacts.Moment?) {
        append(moment?.position)
        append(moment?.atMilliseconds)
    }

    fileprivate func append(_ stages: SessionFacts.Stages) {
        append(stages.captured)
        append(stages.checked)
        append(stages.confirmed)
        append(stages.verified)
    }
}

extension AnalyticsRows {
    private func addSession(_ facts: SessionFacts, _ number: Int64, _ id: SessionID) {
        let row = self.session
        row.append(number)
        row.append(uuidText: id.uuid.high, id.uuid.low)
        row.append(facts.context)
        row.append(facts.pieces.count)
        row.append(facts.started)
        row.append(facts.stages)
        row.append(facts.outcome.rawValue)
        row.append(facts.outcome == .exited ? facts.end?.exitClass?.analyticsCode : nil)
        row.append(facts.ended)
        row.append(facts.stoppedPiece?.code)
        row.append(facts.stoppedStep?.rawValue)
        row.append(facts.captures.count)
        row.append(facts.refusalCount)
        row.append(facts.suspensions)
        row.append(facts.erased)
        row.append(facts.events)
        row.append(facts.last)
    }

    private func add(_ end: SessionFacts.EndRow, _ number: Int64) {
        let row = self.earlierEnd
        row.append(number)
        row.append(end.moment)
        row.append(end.outcome.rawValue)
        row.append(end.exitClass?.analyticsCode)
        row.append(end.resumed)
    }

    private func add(_ piece: SessionFacts.PieceRow, _ number: Int64) {
        let row = self.piece
        row.append(number)
        row.append(piece.piece.code)
        row.append(piece.ordinal)
        row.append(piece.status.analyticsCode)
        row.append(piece.attempts)
        row.append(piece.refusals)
        row.append(piece.stages)
        row.append(piece.droppedPosition)
    }

    private func add(_ capture: SessionFacts.CaptureRow, _ number: Int64) {
        let row = self.capture
        row.append(number)
        row.append(capture.moment)
        row.append(words: capture.capture.uuid.high, capture.capture.uuid.low)
        row.append(capture.piece.code)
        row.append(capture.attempt)
        row.append(capture.source.code)
        row.append(capture.checked)
        row.append(capture.checksPassed)
        row.append(capture.confirmed)
        row.append(capture.destination)
        row.append(capture.answered)
        row.append(capture.answer?.rawValue)
        row.append(capture.requests)
        row.append(capture.score)
        row.append(capture.takenBackPosition)
        row.append(capture.purgedPosition)
    }

    private func add(_ refusal: SessionFacts.RefusalRow, _ number: Int64) {
        let row = self.refusal
        row.append(number)
        row.append(refusal.moment)
        row.append(refusal.piece.code)
        row.append(refusal.origin.rawValue)
        row.append(refusal.reason)
        row.append(refusal.isLate)
        row.append(refusal.capturePosition)
    }

    private func add(_ finding: SessionFacts.FindingRow, _ number: Int64) {
        let row = self.finding
        row.append(number)
        row.append(finding.position)
        row.append(finding.number)
        row.append(finding.capturePosition)
        row.append(finding.piece.code)
        row.append(finding.finding.metric)
        row.append(finding.finding.value)
        row.append(finding.finding.passed)
        row.append(finding.finding.direction?.analyticsCode)
        row.append(finding.finding.threshold)
        row.append(finding.policyVersion)
    }

    private func add(_ guidance: SessionFacts.GuidanceRow, _ number: Int64) {
        let row = self.guidance
        row.append(number)
        row.append(guidance.moment.position)
        row.append(guidance.number)
        row.append(guidance.moment.atMilliseconds)
        row.append(guidance.piece.code)
        row.append(guidance.hint)
        row.append(guidance.isOnTarget)
        row.append(guidance.recording)
        row.append(guidance.target)
    }

    private func add(_ recording: SessionFacts.RecordingRow, _ number: Int64) {
        let row = self.recording
        row.append(number)
        row.append(recording.moment)
        row.append(recording.recording)
        row.append(recording.ended)
        row.append(recording.endedBy)
        row.append(recording.targets)
        row.append(recording.isFaceSeen)
    }

    private func add(_ interaction: SessionFacts.InteractionRow, _ number: Int64) {
        let row = self.interaction
        row.append(number)
        row.append(interaction.moment)
        row.append(interaction.piece?.code)
        row.append(interaction.interaction)
    }
}
