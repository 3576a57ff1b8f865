extension Rejection {
  /// Stable, snake_case.
  package var code: String {
    switch self {
    case .staleVersion: "stale_version"
    case .needsNewerVersion: "needs_newer_version"
    case .invalidConfiguration(let problem): problem.code.rawValue
    case .alreadyStarted: "already_started"
    case .clientKeyConflict: "client_key_conflict"
    case .notStarted: "not_started"
    case .sessionSuspended: "session_suspended"
    case .sessionClosed(let status): "session_\(status.rawValue)"
    case .sessionErased: "session_erased"
    case .deadlinePassed: "deadline_passed"
    case .notDue: "not_due"
    case .nothingToExpire: "nothing_to_expire"
    case .unknownPiece: "unknown_piece"
    case .pieceDropped: "piece_dropped"
    case .pieceVerified: "piece_verified"
    case .notCurrentPiece: "not_current_piece"
    case .nothingCaptured: "nothing_captured"
    case .alreadyConfirmed: "already_confirmed"
    case .captureSuperseded: "capture_superseded"
    case .captureReused: "capture_reused"
    case .notChecked: "not_checked"
    case .failedChecks: "failed_checks"
    case .nothingWouldRemain: "nothing_would_remain"
    case .notParked: "not_parked"
    case .mediaGone: "media_gone"
    case .scoreMissing: "score_missing"
    case .recordingNotStarted: "recording_not_started"
    case .cardNotDetected: "card_not_detected"
    case .transactionAlreadyBound: "transaction_already_bound"
    case .noHologram: "no_hologram"
    case .flipNotNext: "flip_not_next"
    case .noFallbackLink: "no_fallback_link"
    case .interactionNeedsPiece: "interaction_needs_piece"
    case .tooManyObservations: "too_many_observations"
    }
  }

  /// What is wrong, as one sentence.
  package var message: String {
    switch self {
    case .staleVersion(let expected, let actual):
      "The session is at version \(actual), not at \(expected) as expected."
    case .needsNewerVersion: "The session holds an event that a newer version wrote."
    case .invalidConfiguration(let problem): problem.message
    case .alreadyStarted: "The session was started before."
    case .clientKeyConflict: "The client key belongs to a session with another configuration."
    case .notStarted: "The session was never started."
    case .sessionSuspended: "The session is suspended."
    case .sessionClosed(let status): "The session is \(status.rawValue)."
    case .sessionErased: "The session is erased."
    case .deadlinePassed: "The session's deadline has passed."
    case .notDue: "The session's deadline has not passed, or it has none."
    case .nothingToExpire:
      "The session waits for the verifier and not for a capture: it does not expire."
    case .unknownPiece(let piece): "The session does not ask for \(piece.rawValue)."
    case .pieceDropped(let piece): "The piece \(piece.rawValue) was dropped from the session."
    case .pieceVerified(let piece): "The piece \(piece.rawValue) is verified."
    case .notCurrentPiece(let piece, let current):
      "It is not the turn of \(piece.rawValue): the next piece is \(current?.rawValue ?? "none")."
    case .nothingCaptured(let piece): "There is no capture of \(piece.rawValue) to act on."
    case .alreadyConfirmed(let piece): "The capture of \(piece.rawValue) is already confirmed."
    case .captureSuperseded(let piece):
      "A newer capture of \(piece.rawValue) has replaced the one named."
    case .captureReused: "The capture id was used before."
    case .notChecked(let piece): "The capture of \(piece.rawValue) has not been checked yet."
    case .failedChecks(let piece): "The capture of \(piece.rawValue) did not pass its checks."
    case .nothingWouldRemain: "Dropping these pieces would leave nothing in the session."
    case .notParked(let piece): "The delivery of \(piece.rawValue) is not parked."
    case .mediaGone(let piece): "The media of \(piece.rawValue) no longer exists."
    case .scoreMissing: "The session has a pass mark and the answer has no score."
    case .recordingNotStarted: "No hologram recording has been started."
    case .cardNotDetected: "The card has not been detected in the frame."
    case .transactionAlreadyBound: "The session already has another transaction."
    case .noHologram: "The session does not ask for a hologram."
    case .flipNotNext: "The back page is not the next piece."
    case .noFallbackLink: "The session has no fallback link on this piece."
    case .interactionNeedsPiece: "This interaction belongs to a piece and none was named."
    case .tooManyObservations(let limit): "More than \(limit) observations were given at once."
    }
  }

  /// What to do about it, as one sentence.
  package var remedy: String {
    switch self {
    case .staleVersion: "Read the session again and decide on what it says now."
    case .needsNewerVersion: "Use the newer version, or update this one."
    case .invalidConfiguration(let problem): problem.remedy
    case .alreadyStarted: "Go on with the session, or start another one."
    case .clientKeyConflict:
      "Use another client key, or the configuration the session was started with."
    case .notStarted: "Start the session first."
    case .sessionSuspended: "Resume the session first."
    case .sessionClosed(.exited): "Resume the session, or start another one."
    case .sessionClosed, .sessionErased, .deadlinePassed: "Start another session."
    case .notDue: "Try again after the deadline."
    case .nothingToExpire: "Let the deliveries finish, or cancel the session."
    case .unknownPiece: "Name a piece of the session's list."
    case .pieceDropped, .pieceVerified: "Go on with the session's current piece."
    case .notCurrentPiece(_, let current):
      current.map { "Capture \($0.rawValue) first." } ?? "Nothing is left to capture."
    case .nothingCaptured(let piece): "Capture \(piece.rawValue) first."
    case .alreadyConfirmed: "To replace it, capture the piece again."
    case .captureSuperseded: "Act on the newer capture."
    case .captureReused: "Use a new capture id for every capture."
    case .notChecked: "Run the checks first: check --pending."
    case .failedChecks(let piece): "Capture \(piece.rawValue) again."
    case .nothingWouldRemain: "Exit or cancel the session instead."
    case .notParked: "Look at the delivery's state; only a parked one can be requeued."
    case .mediaGone(let piece): "Capture \(piece.rawValue) again."
    case .scoreMissing: "Treat the answer as a contract break and try the delivery again."
    case .recordingNotStarted: "Start the hologram recording first."
    case .cardNotDetected: "Report card_detected once the card is in the frame."
    case .transactionAlreadyBound: "Start another session for another transaction."
    case .noHologram: "Start a session whose pieces include hologram."
    case .flipNotNext: "Show the flip only while the back page is the current piece."
    case .noFallbackLink: "Use the built-in reminder, or configure a fallback link."
    case .interactionNeedsPiece: "Name the piece."
    case .tooManyObservations: "Send them in smaller groups."
    }
  }
}
