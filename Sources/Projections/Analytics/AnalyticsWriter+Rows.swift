import SQLite
import SessionDomain

/// Binds columns one after the other.
private struct Row {
    let statement: Statement
    private var index: Int32 = 0

    init(_ statement: Statement) { self.statement = statement }

    mutating func add(_ value: Int64?) {
        index += 1
        statement.bind(value, at: index)
    }

    mutating func add(_ value: Int?) { add(value.map { Int64($0) }) }
    mutating func add(_ value: Bool?) { add(value.map { $0 ? Int64(1) : 0 }) }

    mutating func add(_ value: String?) {
        index += 1
        statement.bind(value, at: index)
    }

    mutating func add(_ value: Double?) {
        index += 1
        statement.bind(value, at: index)
    }

    mutating func add(_ value: UUID128) {
        index += 1
        statement.bind(words: value.high, value.low, at: index)
    }

    mutating func add(_ moment: SessionFacts.Moment?) {
        add(moment?.position)
        add(moment?.atMilliseconds)
    }

    mutating func add(_ stages: SessionFacts.Stages) {
        add(stages.captured)
        add(stages.checked)
        add(stages.confirmed)
        add(stages.verified)
    }

    func run() throws(SQLiteError) { try statement.run() }
}

extension AnalyticsWriter {
    func insertSession(_ facts: SessionFacts, _ number: Int64, _ session: SessionID) throws(SQLiteError) {
        var row = Row(statements.session)
        row.add(number)
        row.add(session.text)
        row.add(facts.context)
        row.add(facts.pieces.count)
        row.add(facts.started)
        row.add(facts.stages)
        row.add(facts.outcome.rawValue)
        row.add(facts.outcome == .exited ? facts.end?.exitClass?.analyticsCode : nil)
        row.add(facts.ended)
        row.add(facts.stoppedPiece?.code)
        row.add(facts.stoppedStep?.rawValue)
        row.add(facts.captures.count)
        row.add(facts.refusalCount)
        row.add(facts.suspensions)
        row.add(facts.erased)
        row.add(facts.events)
        row.add(facts.last)
        try row.run()
    }

    func insert(_ end: SessionFacts.EndRow, _ number: Int64) throws(SQLiteError) {
        var row = Row(statements.earlierEnd)
        row.add(number)
        row.add(end.moment)
        row.add(end.outcome.rawValue)
        row.add(end.exitClass?.analyticsCode)
        row.add(end.resumed)
        try row.run()
    }

    func insert(_ piece: SessionFacts.PieceRow, _ number: Int64) throws(SQLiteError) {
        var row = Row(statements.piece)
        row.add(number)
        row.add(piece.piece.code)
        row.add(piece.ordinal)
        row.add(piece.status.analyticsCode)
        row.add(piece.attempts)
        row.add(piece.refusals)
        row.add(piece.stages)
        row.add(piece.droppedPosition)
        try row.run()
    }

    func insert(_ capture: SessionFacts.CaptureRow, _ number: Int64) throws(SQLiteError) {
        var row = Row(statements.capture)
        row.add(number)
        row.add(capture.moment)
        row.add(capture.capture.uuid)
        row.add(capture.piece.code)
        row.add(capture.attempt)
        row.add(capture.source.code)
        row.add(capture.checked)
        row.add(capture.checksPassed)
        row.add(capture.confirmed)
        row.add(capture.destination)
        row.add(capture.answered)
        row.add(capture.answer?.rawValue)
        row.add(capture.requests)
        row.add(capture.score)
        row.add(capture.takenBackPosition)
        row.add(capture.purgedPosition)
        try row.run()
    }

    func insert(_ refusal: SessionFacts.RefusalRow, _ number: Int64) throws(SQLiteError) {
        var row = Row(statements.refusal)
        row.add(number)
        row.add(refusal.moment)
        row.add(refusal.piece.code)
        row.add(refusal.origin.rawValue)
        row.add(refusal.reason)
        row.add(refusal.isLate)
        row.add(refusal.capturePosition)
        try row.run()
    }

    func insert(_ finding: SessionFacts.FindingRow, _ number: Int64) throws(SQLiteError) {
        var row = Row(statements.finding)
        row.add(number)
        row.add(finding.position)
        row.add(finding.number)
        row.add(finding.capturePosition)
        row.add(finding.piece.code)
        row.add(finding.finding.metric)
        row.add(finding.finding.value)
        row.add(finding.finding.passed)
        row.add(finding.finding.direction?.analyticsCode)
        row.add(finding.finding.threshold)
        row.add(finding.policyVersion)
        try row.run()
    }

    func insert(_ guidance: SessionFacts.GuidanceRow, _ number: Int64) throws(SQLiteError) {
        var row = Row(statements.guidance)
        row.add(number)
        row.add(guidance.moment.position)
        row.add(guidance.number)
        row.add(guidance.moment.atMilliseconds)
        row.add(guidance.piece.code)
        row.add(guidance.hint)
        row.add(guidance.isOnTarget)
        row.add(guidance.recording)
        row.add(guidance.target)
        try row.run()
    }

    func insert(_ recording: SessionFacts.RecordingRow, _ number: Int64) throws(SQLiteError) {
        var row = Row(statements.recording)
        row.add(number)
        row.add(recording.moment)
        row.add(recording.recording)
        row.add(recording.ended)
        row.add(recording.endedBy)
        row.add(recording.targets)
        row.add(recording.isFaceSeen)
        try row.run()
    }

    func insert(_ interaction: SessionFacts.InteractionRow, _ number: Int64) throws(SQLiteError) {
        var row = Row(statements.interaction)
        row.add(number)
        row.add(interaction.moment)
        row.add(interaction.piece?.code)
        row.add(interaction.interaction)
        try row.run()
    }
}
