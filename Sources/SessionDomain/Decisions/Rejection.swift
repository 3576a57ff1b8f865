/// Why a command was not accepted. Nothing was appended.
package enum Rejection: Error, Hashable, Sendable {
    case staleVersion(expected: Int64, actual: Int64)
    case needsNewerVersion
    case invalidConfiguration(ConfigurationProblem)
    case alreadyStarted
    case clientKeyConflict
    case notStarted
    case sessionSuspended
    case sessionClosed(SessionStatus)
    case sessionErased
    case deadlinePassed
    case notDue
    case nothingToExpire
    case unknownPiece(Piece)
    case pieceDropped(Piece)
    case pieceVerified(Piece)
    case notCurrentPiece(Piece, current: Piece?)
    case nothingCaptured(Piece)
    case alreadyConfirmed(Piece)
    case captureSuperseded(Piece)
    case captureReused
    case notChecked(Piece)
    case failedChecks(Piece)
    case nothingWouldRemain
    case notParked(Piece)
    case mediaGone(Piece)
    case scoreMissing
    case recordingNotStarted
    case cardNotDetected
    case transactionAlreadyBound
    case noHologram
    case flipNotNext
    case noFallbackLink
    case interactionNeedsPiece
    case tooManyObservations(limit: Int)
    case unknownObservation(suggestion: String?)
    case observationFields(kind: String, fields: [String])
    case tooManyFindings(limit: Int)
    case notACode(field: String)
    case notFinite(field: String)
}
