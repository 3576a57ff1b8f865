import SessionDomain

extension DailySums {
    /// The steps whose times are summed; the number stands in keys.
    enum Step: Int32, CaseIterable {
        case toFirstCapture, captureToCheck, captureToConfirm, confirmToAnswer, toVerified, session

        var name: String {
            switch self {
            case .toFirstCapture: "to_first_capture"
            case .captureToCheck: "capture_to_check"
            case .captureToConfirm: "capture_to_confirm"
            case .confirmToAnswer: "confirm_to_answer"
            case .toVerified: "to_verified"
            case .session: "session"
            }
        }
    }

    /// What became of a confirmed capture; the number stands in keys.
    enum Standing: Int32, CaseIterable {
        case waiting, verified, rejected, parked, withdrawn

        var name: String {
            switch self {
            case .waiting: "waiting"
            case .verified: "verified"
            case .rejected: "rejected"
            case .parked: "parked"
            case .withdrawn: "withdrawn"
            }
        }
    }

    /// Adds a session's part, or takes it away again.
    ///
    /// - Parameter sign: 1 or -1.
    package mutating func add(_ facts: SessionFacts, sign: Int32) {
        guard let started = facts.started else { return }
        let cell = index(day: Day.number(started.atMilliseconds), context: facts.context ?? "")
        addFunnel(facts, sign, cell)
        addOutcome(facts, sign, cell)
        addTimes(facts, started, sign, cell)
        if !facts.refusals.isEmpty { addRefusals(facts, sign, cell) }
        for index in facts.captures.indices where facts.captures[index].confirmed != nil {
            addAnswer(facts.captures[index], facts, sign, cell)
        }
        for row in facts.findings { addFinding(row, sign, cell) }
        if !facts.guidance.isEmpty { addGuidance(facts, sign, cell) }
    }

    private static func key(_ table: Table, _ piece: Piece?) -> Key {
        Key(table: UInt8(table.rawValue), piece: UInt8(piece?.code ?? 0))
    }

    /// started, captured, checked, confirmed, verified, completed, dropped, captures
    private mutating func addFunnel(_ facts: SessionFacts, _ sign: Int32, _ cell: Int) {
        let isCompleted = facts.outcome == .completed
        func counts(_ stages: SessionFacts.Stages, completed: Bool, dropped: Bool, captures: Int) -> Counts {
            Counts(
                1, stages.captured == nil ? 0 : 1, stages.checked == nil ? 0 : 1, stages.confirmed == nil ? 0 : 1,
                stages.verified == nil ? 0 : 1, completed ? 1 : 0, dropped ? 1 : 0, Int32(clamping: captures)) &* sign
        }
        add(
            counts(facts.stages, completed: isCompleted, dropped: false, captures: facts.captures.count),
            to: Self.key(.funnel, nil), in: cell)
        for row in facts.pieces {
            let captures = facts.captures.reduce(0) { $0 + ($1.piece == row.piece ? 1 : 0) }
            add(
                counts(
                    row.stages, completed: isCompleted && row.stages.verified != nil, dropped: row.droppedPosition != nil,
                    captures: captures), to: Self.key(.funnel, row.piece), in: cell)
            var key = Self.key(.attempts, row.piece)
            key.first = Int32(clamping: captures)
            key.second = row.stages.verified == nil ? 0 : 1
            add(Counts(sign, 0, 0, 0, 0, 0, 0, 0), to: key, in: cell)
        }
    }

    private mutating func addOutcome(_ facts: SessionFacts, _ sign: Int32, _ cell: Int) {
        var key = Self.key(.outcome, facts.stoppedPiece)
        key.first = Int32(facts.outcome.rawValue) << 8 | Int32(facts.stoppedStep?.rawValue ?? 0)
        key.second = facts.outcome == .exited ? Int32(facts.end?.exitClass?.analyticsCode ?? 0) : 0
        add(Counts(sign, 0, 0, 0, 0, 0, 0, 0), to: key, in: cell)
    }

    private mutating func addTimes(_ facts: SessionFacts, _ started: SessionFacts.Moment, _ sign: Int32, _ cell: Int) {
        for row in facts.pieces {
            guard let captured = row.stages.captured else { continue }
            add(.toFirstCapture, row.piece, started, captured, sign, cell)
            if let verified = row.stages.verified { add(.toVerified, row.piece, captured, verified, sign, cell) }
        }
        for row in facts.captures {
            if let checked = row.checked { add(.captureToCheck, row.piece, row.moment, checked, sign, cell) }
            guard let confirmed = row.confirmed else { continue }
            add(.captureToConfirm, row.piece, row.moment, confirmed, sign, cell)
            if let answered = row.answered, row.answer != .parked {
                add(.confirmToAnswer, row.piece, confirmed, answered, sign, cell)
            }
        }
        if facts.outcome == .completed, let end = facts.end { add(.session, nil, started, end.moment, sign, cell) }
    }

    private mutating func add(
        _ step: Step, _ piece: Piece?, _ from: SessionFacts.Moment, _ to: SessionFacts.Moment, _ sign: Int32, _ cell: Int
    ) {
        var key = Self.key(.stepTime, piece)
        key.first = step.rawValue
        key.third = TimeBucket(to.atMilliseconds - from.atMilliseconds).atLeastMilliseconds
        add(Counts(sign, 0, 0, 0, 0, 0, 0, 0), to: key, in: cell)
    }

    /// A row of sums, and a capture among those that made it.
    private struct Counted: Hashable {
        let key: Key
        let capture: Int64
    }

    /// refusals, captures, sessions
    private mutating func addRefusals(_ facts: SessionFacts, _ sign: Int32, _ cell: Int) {
        var seen: Set<Counted> = []
        for row in facts.refusals where !row.isLate {
            var key = Self.key(.refusal, row.piece)
            key.first = Int32(row.origin.rawValue)
            key.second = word(row.reason)
            let isFirst = seen.insert(Counted(key: key, capture: -1)).inserted
            // at intake nothing was captured: every refusal counts
            let isFirstOfCapture =
                row.origin == .intake || seen.insert(Counted(key: key, capture: row.capturePosition ?? 0)).inserted
            add(Counts(1, isFirstOfCapture ? 1 : 0, isFirst ? 1 : 0, 0, 0, 0, 0, 0) &* sign, to: key, in: cell)
        }
    }

    /// captures, requests
    private mutating func addAnswer(_ capture: SessionFacts.CaptureRow, _ facts: SessionFacts, _ sign: Int32, _ cell: Int) {
        let standing: Standing =
            switch capture.answer {
            case .verified: .verified
            case .rejected: .rejected
            case .parked: .parked
            case nil: isWithdrawn(capture, facts) ? .withdrawn : .waiting
            }
        var key = Self.key(.answer, capture.piece)
        key.first = word(capture.destination ?? "")
        key.second = standing.rawValue
        key.third = Int64(word(capture.answerReason ?? ""))
        add(Counts(1, Int32(clamping: capture.requests ?? 0), 0, 0, 0, 0, 0, 0) &* sign, to: key, in: cell)
    }

    /// Cancelling, expiry and erasure take back what was not answered; an exit does not.
    private func isWithdrawn(_ capture: SessionFacts.CaptureRow, _ facts: SessionFacts) -> Bool {
        if capture.takenBackPosition != nil || capture.checksPassed == false || facts.erased != nil { return true }
        return facts.outcome == .cancelled || facts.outcome == .expired
    }

    /// findings, passed, failed
    private mutating func addFinding(_ row: SessionFacts.FindingRow, _ sign: Int32, _ cell: Int) {
        var key = Self.key(.check, row.piece)
        key.first = word(row.finding.metric)
        let isJudged = row.finding.passed != nil
        let direction = isJudged ? Int32(row.finding.direction?.analyticsCode ?? 0) : 0
        key.second = word(row.policyVersion ?? "") << 3 | direction
        // a negative zero would be another key and the same row
        key.third = Int64(bitPattern: ((isJudged ? row.finding.threshold ?? 0 : 0) + 0).bitPattern)
        let (passed, failed): (Int32, Int32) = (row.finding.passed == true ? 1 : 0, row.finding.passed == false ? 1 : 0)
        add(Counts(1, passed, failed, 0, 0, 0, 0, 0) &* sign, to: key, in: cell)
    }

    /// observations, sessions
    private mutating func addGuidance(_ facts: SessionFacts, _ sign: Int32, _ cell: Int) {
        var seen: Set<Key> = []
        for row in facts.guidance {
            var key = Self.key(.guidance, row.piece)
            key.first = word(row.hint)
            key.second = Int32(clamping: row.target ?? -1)
            add(Counts(1, seen.insert(key).inserted ? 1 : 0, 0, 0, 0, 0, 0, 0) &* sign, to: key, in: cell)
        }
    }
}
