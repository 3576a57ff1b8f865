/// What a complete and well-formed body says.
struct Submission: Sendable, Equatable {
    let destination: SandboxDestination
    /// Lower case; nil for the hologram, whose body names no session, as below.
    let sessionID: String?
    let piece: String
    let captureID: String?
    /// SHA-256 of the media bytes, in hexadecimal.
    let digest: String
    let bytes: Int
    /// Equal exactly when the bodies are equal.
    let fingerprint: String

    /// What an effect is counted under.
    var effectName: String {
        guard let sessionID, let captureID else { return digest }
        return "\(sessionID)/\(piece)/\(captureID)"
    }

    /// What "the same capture" means when requests are counted.
    var captureName: String { captureID ?? digest }
}

/// Why a request is refused as it stands.
struct Refusal: Error, Sendable, Equatable {
    let status: Int
    let code: String
    /// Names and positions only, never what the body holds.
    let detail: String

    static func malformed(_ detail: String) -> Refusal { Refusal(status: 400, code: "malformed", detail: detail) }
}

/// Reads a body while it streams in; memory does not grow with it.
protocol BodyReader: Sendable {
    mutating func receive(_ bytes: Span<UInt8>)
    /// The body is complete.
    mutating func finish() throws(Refusal) -> Submission
}
