extension SessionDecider {
    /// What `event` means for `state`. Total: it never fails, whatever order events come in.
    package static func evolve(_ state: SessionState, _ event: SessionEvent) -> SessionState {
        var state = state
        state.apply(event)
        return state
    }
}

extension SessionState {
    /// Folds one event in place.
    package mutating func apply(_ event: SessionEvent) {
        version += 1
        switch event {
        case .sessionStarted(let event): apply(event)
        case .sessionSuspended: status = .suspended
        case .sessionResumed:
            status = .active
            exitClass = nil
        case .captureRefused(let event): pieces[event.piece].failure = event.failure
        case .pieceCaptured(let event): apply(event)
        case .pieceChecked(let event): apply(event)
        case .pieceConfirmed(let event): apply(event)
        case .pieceRetaken(let event):
            guard pieces[event.piece].captureID == event.captureID else { return }
            pieces[event.piece].status = .pending
        case .pieceVerified(let event): apply(event)
        case .pieceRejected(let event): apply(event)
        case .pieceDeliveryParked(let event): apply(event)
        case .pieceDeliveryRequeued(let event):
            guard pieces[event.piece].captureID == event.captureID else { return }
            pieces[event.piece].status = .awaitingVerification
            pieces[event.piece].parkCause = nil
            pieces[event.piece].failure = nil
        case .pendingPiecesDropped(let event): for piece in event.pieces { pieces[piece].status = .dropped }
        case .hologramRecordingStarted(let event):
            hologram.isRecording = true
            hologram.recordings = event.recording
            hologram.isFaceSeen = false
        case .hologramRecordingCancelled: hologram.isRecording = false
        case .guidanceObserved(let event):
            for observation in event.observations { note(observation, at: event.observedAtMilliseconds) }
        case .interactionRecorded: break
        case .sessionCompleted: end(.completed)
        case .sessionExited(let event):
            end(.exited)
            exitClass = event.exitClass
        case .sessionExpired: end(.expired)
        case .sessionCancelled: end(.cancelled)
        case .hologramTransactionBound(let event): transaction = event.transaction
        case .mediaPurged(let event): apply(event)
        case .sessionErased: isErased = true
        }
    }

    /// Counts an event that this version cannot read.
    package mutating func applyUnknown() {
        version += 1
        needsNewerVersion = true
    }

    private mutating func end(_ status: SessionStatus) {
        self.status = status
        hologram.isRecording = false
        recentObservations = []
    }

    /// Takes in what the client saw.
    mutating func note(_ observation: Observation, at milliseconds: Int64) {
        switch observation {
        case .hologram(.cardDetected): hologram.isCardVisible = true
        case .hologram(.cardLost): hologram.isCardVisible = false
        case .hologram(.faceDetectionSuccess): if hologram.isRecording { hologram.isFaceSeen = true }
        case .hologram, .liveScan: break
        }
        recentObservations.removeAll {
            $0.observation == observation || !(0..<SessionDecider.repeatMilliseconds).contains(milliseconds - $0.atMilliseconds)
        }
        recentObservations.append(RecentObservation(observation: observation, atMilliseconds: milliseconds))
    }
}
