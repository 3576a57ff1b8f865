package import SessionDomain

extension SessionFacts {
    /// Takes in an event that this version does not know: it counts and says nothing.
    package mutating func applyUnknown(position: Int64, recordedAtMilliseconds: Int64) {
        last = Moment(position: position, atMilliseconds: recordedAtMilliseconds)
        events += 1
    }

    /// Takes in one event.
    ///
    /// - Parameter state: the session's state after the event. It is left as it is, and passed in place because it is large.
    package mutating func apply(
        _ event: SessionEvent, position: Int64, recordedAtMilliseconds: Int64, state: inout SessionState
    ) {
        applyUnknown(position: position, recordedAtMilliseconds: recordedAtMilliseconds)
        let now = last
        switch event {
        case .sessionStarted(let event): start(event, now)
        case .sessionSuspended: suspensions += 1
        case .sessionResumed: resume(now)
        case .captureRefused(let event):
            refuse(event.piece, .intake, event.failure.rawValue, late: false, capture: nil, now)
        case .pieceCaptured(let event): capture(event, now, &state)
        case .pieceChecked(let event): check(event, now)
        case .pieceConfirmed(let event): confirm(event, now)
        case .pieceRetaken(let event): change(event.captureID) { $0.takenBackPosition = position }
        case .pieceVerified(let event):
            guard !event.late else { return }
            reach(.verified, event.piece, now)
            answer(event.captureID, .verified, nil, event.attempts, event.score, now)
        case .pieceRejected(let event):
            refuse(event.piece, .verifier, event.failure.rawValue, late: event.late, capture: event.captureID, now)
            guard !event.late else { return }
            answer(event.captureID, .rejected, event.failure.rawValue, event.attempts, event.score, now)
        case .pieceDeliveryParked(let event):
            refuse(event.piece, .delivery, event.cause, late: event.late, capture: event.captureID, now)
            guard !event.late else { return }
            answer(event.captureID, .parked, event.cause, event.attempts, nil, now)
        case .pieceDeliveryRequeued(let event):
            change(event.captureID) { capture in
                capture.answered = nil
                capture.answer = nil
                capture.answerReason = nil
                capture.requests = nil
            }
        case .pendingPiecesDropped(let event):
            for piece in event.pieces { change(piece) { $0.droppedPosition = position } }
        case .hologramRecordingStarted(let event):
            recordings.append(RecordingRow(moment: now, recording: event.recording))
        case .hologramRecordingCancelled(let event): endRecording(event.cause.rawValue, now)
        case .guidanceObserved(let event): observe(event, now, &state)
        case .interactionRecorded(let event):
            interactions.append(InteractionRow(moment: now, piece: event.piece, interaction: event.interaction.rawValue))
        case .sessionCompleted: finish(.completed, nil, now)
        case .sessionExited(let event): finish(.exited, event.exitClass, now)
        case .sessionExpired: finish(.expired, nil, now)
        case .sessionCancelled: finish(.cancelled, nil, now)
        case .mediaPurged(let event): change(event.captureID) { $0.purgedPosition = position }
        case .sessionErased: erased = now
        case .hologramTransactionBound: break
        }
    }

    private mutating func start(_ event: SessionStarted, _ now: Moment) {
        started = now
        context = event.configuration.value.analyticsContext
        pieces.removeAll(keepingCapacity: true)
        for (ordinal, piece) in event.configuration.value.pieces.enumerated() {
            pieces.append(PieceRow(piece: piece, ordinal: ordinal))
        }
    }

    private mutating func capture(_ event: PieceCaptured, _ now: Moment, _ state: inout SessionState) {
        if let earlier = event.supersedes { change(earlier) { $0.takenBackPosition = now.position } }
        captures.append(
            CaptureRow(
                moment: now, capture: event.captureID, piece: event.piece,
                attempt: event.attempt ?? state.pieces[event.piece].attempts, source: event.source))
        reach(.captured, event.piece, now)
        if event.piece == .hologram { endRecording("captured", now) }
    }

    private mutating func check(_ event: PieceChecked, _ now: Moment) {
        let capturePosition = position(of: event.captureID)
        for (number, finding) in event.findings.enumerated() {
            findings.append(
                FindingRow(
                    position: now.position, number: number, capturePosition: capturePosition, piece: event.piece,
                    finding: finding, policyVersion: finding.policyVersion ?? event.policyVersion))
        }
        if let failure = event.failure {
            refuse(event.piece, .checks, failure.rawValue, late: event.late, capture: event.captureID, now)
        }
        guard !event.late else { return }
        change(event.captureID) { capture in
            capture.checked = now
            capture.checksPassed = event.failure == nil
        }
        if event.failure == nil { reach(.checked, event.piece, now) }
    }

    private mutating func confirm(_ event: PieceConfirmed, _ now: Moment) {
        change(event.captureID) { capture in
            capture.confirmed = now
            capture.destination = event.destination
        }
        reach(.confirmed, event.piece, now)
    }

    private mutating func answer(
        _ capture: CaptureID, _ answer: AnalyticsCode.Answer, _ reason: String?, _ requests: Int, _ score: Double?,
        _ now: Moment
    ) {
        change(capture) { capture in
            capture.answered = now
            capture.answer = answer
            capture.answerReason = reason
            capture.requests = requests
            capture.score = score
        }
    }

    private mutating func refuse(
        _ piece: Piece, _ origin: AnalyticsCode.Origin, _ reason: String, late: Bool, capture: CaptureID?, _ now: Moment
    ) {
        refusals.append(
            RefusalRow(
                moment: now, piece: piece, origin: origin, reason: reason, isLate: late,
                capturePosition: capture.flatMap { position(of: $0) }))
        if !late { change(piece) { $0.refusals += 1 } }
    }

    private mutating func observe(_ event: GuidanceObserved, _ now: Moment, _ state: inout SessionState) {
        let isRecording = state.hologram.isRecording && !recordings.isEmpty
        for (number, observation) in event.observations.enumerated() {
            let recording = isRecording ? recordings[recordings.count - 1] : nil
            var (piece, hint, isOnTarget) = (Piece.hologram, observation.kind, Bool?.none)
            switch observation {
            case .liveScan(let seen, let looked): (piece, hint) = (looked, seen.rawValue)
            case .hologram(.flashPositionUpdate(let isOn)): isOnTarget = isOn
            case .hologram: break
            }
            guidance.append(
                GuidanceRow(
                    moment: now, number: number, piece: piece, hint: hint, isOnTarget: isOnTarget,
                    recording: recording?.recording, target: recording?.targets))
            guard isRecording else { continue }
            if case .hologram(.flashCircleCompleted(let index)) = observation {
                // what is not a place in the tilt counts as the next one
                let passed = (0..<1000).contains(index) ? index + 1 : recordings[recordings.count - 1].targets + 1
                recordings[recordings.count - 1].targets = max(recordings[recordings.count - 1].targets, passed)
            }
        }
        if isRecording, state.hologram.isFaceSeen { recordings[recordings.count - 1].isFaceSeen = true }
    }

    private mutating func endRecording(_ reason: String, _ now: Moment) {
        guard let index = recordings.indices.last, recordings[index].ended == nil else { return }
        recordings[index].ended = now
        recordings[index].endedBy = reason
    }

    // what is looked for lies near the end

    private func position(of capture: CaptureID) -> Int64? {
        for row in captures.reversed() where row.capture == capture { return row.moment.position }
        return nil
    }

    private mutating func change(_ capture: CaptureID, _ body: (inout CaptureRow) -> Void) {
        for index in captures.indices.reversed() where captures[index].capture == capture { return body(&captures[index]) }
    }

    private mutating func change(_ piece: Piece, _ body: (inout PieceRow) -> Void) {
        for index in pieces.indices where pieces[index].piece == piece { return body(&pieces[index]) }
    }

    /// A stage is reached once.
    private mutating func reach(_ stage: Stage, _ piece: Piece, _ now: Moment) {
        stages.reach(stage, now)
        change(piece) { $0.stages.reach(stage, now) }
    }

    /// An end without a resumption before it takes the place of the one that there was.
    private mutating func finish(_ outcome: AnalyticsCode.Outcome, _ exitClass: ExitClass?, _ now: Moment) {
        resume(now)
        end = EndRow(moment: now, outcome: outcome, exitClass: exitClass)
    }

    private mutating func resume(_ now: Moment) {
        guard var end else { return }
        end.resumed = now
        earlierEnds.append(end)
        self.end = nil
    }
}
