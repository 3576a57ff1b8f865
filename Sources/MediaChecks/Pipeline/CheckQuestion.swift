package import SessionDomain

/// What is asked about one capture.
package struct CheckQuestion: Sendable, Hashable {
    package var piece: Piece
    /// Uploads and live captures are judged by different rules (S55, S58, S64).
    package var source: CaptureSource
    package var passport: PassportChecks
    /// Of live captures, or of uploads where the configuration has its own for them.
    package var selfie: SelfieChecks
    /// From the client, recorded as such.
    package var measurements: [Measurement]

    package init(
        piece: Piece, source: CaptureSource, passport: PassportChecks = .standard, selfie: SelfieChecks = .standard,
        measurements: [Measurement] = []
    ) {
        self.piece = piece
        self.source = source
        self.passport = passport
        self.selfie = selfie
        self.measurements = measurements
    }
}
