/// Where a session stood when its user backed out.
package enum ExitClass: String, Hashable, Sendable, CaseIterable {
    case beforeAnyCapture = "before_any_capture"
    /// The latest thing that happened to the current piece was a refusal, by intake or by the checks.
    case afterRefusal = "after_refusal"
    case afterRejection = "after_rejection"
    case whileCapturing = "while_capturing"
    /// Nothing was left to capture.
    case whileWaiting = "while_waiting"
}

package enum DropOrigin: String, Hashable, Sendable, CaseIterable { case host, verifier }

/// Why a hologram recording ended without a video.
package enum RecordingEnd: String, Hashable, Sendable, CaseIterable {
    case documentLeft = "document_left"
    case user
    case suspended
    case pieceDropped = "piece_dropped"
    case sessionEnded = "session_ended"
}

/// What a user did beside capturing.
public enum Interaction: String, Hashable, Sendable, CaseIterable {
    case flipShown = "flip_shown"
    case flipDone = "flip_done"
    case permissionPrimerShown = "permission_primer_shown"
    case permissionGranted = "permission_granted"
    case permissionDenied = "permission_denied"
    case fallbackLinkTapped = "fallback_link_tapped"
    case reminderRequested = "reminder_requested"
    case reviewShown = "review_shown"
    case failureShown = "failure_shown"
    case scanAgain = "scan_again"
    /// The user asks for a failed delivery to be tried now.
    case retryRequested = "retry_requested"
}
