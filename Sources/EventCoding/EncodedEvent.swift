package import SessionDomain

/// An event as it is stored: its hot fields typed, the rest as canonical JSON.
package struct EncodedEvent: Hashable, Sendable {
    /// Pinned for ever; see ``EventType``.
    package var type: Int
    package var schemaVersion: Int
    /// passport_front 1, passport_back 2, selfie 3, hologram 4.
    package var piece: Int?
    package var captureID: UUID128?
    /// camera 1, gallery 2, file 3.
    package var source: Int?
    /// Pinned for ever; see ``OutcomeCode``.
    package var outcome: Int?
    /// A code, never free text.
    package var reason: String?
    package var durationMilliseconds: Int64?
    /// Canonical JSON of what is left, `{}` when nothing is.
    package var facts: String

    package init(
        type: Int, schemaVersion: Int, piece: Int?, captureID: UUID128?, source: Int?, outcome: Int?, reason: String?,
        durationMilliseconds: Int64?, facts: String
    ) {
        self.type = type
        self.schemaVersion = schemaVersion
        self.piece = piece
        self.captureID = captureID
        self.source = source
        self.outcome = outcome
        self.reason = reason
        self.durationMilliseconds = durationMilliseconds
        self.facts = facts
    }
}
