/// The two endpoints that the sandbox plays.
package enum SandboxDestination: String, Sendable, Codable, CaseIterable {
    case verifier, hologram
}

/// What a session can ask for, as the wire spells it.
let knownPieces = ["passport_front", "passport_back", "selfie", "hologram"]
