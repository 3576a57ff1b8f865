extension SessionDecider {
    /// The most observations in one command.
    package static let observationLimit = 256
    /// The same observation again within this time is left out, unless it changes something.
    package static let repeatMilliseconds: Int64 = 1_000

    /// One event for those that are news; a card that leaves during a recording may cancel it (S74).
    static func observe(_ observations: [Observation], _ state: SessionState, now: Int64) throws(Rejection) -> [Decided] {
        let configuration = try configuration(state)
        try requireActive(state)
        guard observations.count <= observationLimit else { throw .tooManyObservations(limit: observationLimit) }
        var after = state
        var news: [Observation] = []
        var cancelled: [Decided] = []
        for observation in observations {
            try check(observation, state)
            guard isNews(observation, after, now: now) else { continue }
            news.append(observation)
            after.note(observation, at: now)
            if observation == .hologram(.cardLost), configuration.value.hologramSettings.stopVideoWhileRecording,
                cancelled.isEmpty
            {
                cancelled = endOfRecording(after, cause: .documentLeft)
            }
        }
        guard !news.isEmpty else { return [] }
        let observed = GuidanceObserved(observations: news, observedAtMilliseconds: now)
        return [Decided(.guidanceObserved(observed), secret: nil)] + cancelled
    }

    private static func check(_ observation: Observation, _ state: SessionState) throws(Rejection) {
        switch observation {
        case .hologram: guard state.pieces[.hologram].status != .absent else { throw .noHologram }
        case .liveScan(_, let piece): guard state.pieces[piece].status != .absent else { throw .unknownPiece(piece) }
        }
    }

    private static func isNews(_ observation: Observation, _ state: SessionState, now: Int64) -> Bool {
        var noted = state
        noted.note(observation, at: now)
        if noted.hologram != state.hologram { return true }
        return !state.recentObservations.contains {
            $0.observation == observation && (0..<repeatMilliseconds).contains(now - $0.atMilliseconds)
        }
    }

    static func decide(_ record: RecordInteraction, _ state: SessionState) throws(Rejection) -> [Decided] {
        let configuration = try configuration(state)
        try requireOpen(state)
        if let piece = record.piece { _ = try slot(piece, state) }
        switch record.interaction {
        case .flipShown, .flipDone:
            let back = state.pieces[.passportBack]
            guard state.currentPiece == .passportBack, back.status == .pending, back.attempts == 0 else { throw .flipNotNext }
        case .fallbackLinkTapped:
            guard let piece = record.piece else { throw .interactionNeedsPiece }
            guard configuration.value.fallbackLink != nil, piece != .hologram else { throw .noFallbackLink }
        case .retryRequested: guard record.piece != nil else { throw .interactionNeedsPiece }
        case .permissionPrimerShown, .permissionGranted, .permissionDenied, .reminderRequested, .reviewShown, .failureShown,
            .scanAgain:
            break
        }
        let recorded = InteractionRecorded(
            interaction: record.interaction, piece: record.piece, remindAtMilliseconds: record.remindAtMilliseconds)
        return [Decided(.interactionRecorded(recorded), secret: record.secret)]
    }
}
