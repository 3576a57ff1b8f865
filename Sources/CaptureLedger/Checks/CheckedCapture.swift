package import SessionDomain

/// What is known of a capture's checks.
package struct CheckedCapture: Sendable {
    package enum Standing: Sendable {
        /// By this judgement, or by an earlier one.
        case judged
        /// The checks could not run; `check --pending` goes on.
        case unchecked(Obstacle)
        /// Nobody waits for a judgement: another capture took its place, or its session ended.
        case notAwaited
    }

    package var standing: Standing
    package var findings: [Finding] = []
    package var failure: CaptureFailure?
    /// A code: what a decoder or a runner could not do.
    package var detail: String?
    package var policyVersion: String?
    package var page: NormalizedRect?
    package var fields: FieldDetections?
    package var crop: PageCrop?
    /// Of the judgement's events.
    package var positions: [Int64] = []

    init(_ standing: Standing) { self.standing = standing }

    init(_ checked: PieceChecked, positions: [Int64] = []) {
        standing = .judged
        findings = checked.findings
        failure = checked.failure
        detail = checked.detail
        policyVersion = checked.policyVersion
        page = checked.page
        fields = checked.fields
        crop = checked.crop
        self.positions = positions
    }
}
