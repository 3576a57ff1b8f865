package import Audit
package import SessionDomain

/// How evidence is exported.
package struct EvidenceExportOptions: Sendable {
    /// Leave out everything personal: media, private halves, requests and answers.
    package var isRedacted = false
    /// Who exports it, for the record.
    package var actor: String?

    package init() {}
}

/// What was exported, and what a check of the finished file says.
package struct EvidenceExportReport: Sendable {
    package let path: String
    package let session: SessionID
    package let bytes: Int64
    /// Files that the session names and that are not in it, and why.
    package let leftOut: [ReportContent.LeftOut]
    package let verdict: EvidenceVerdict
}
