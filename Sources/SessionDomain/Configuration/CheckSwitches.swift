/// Which checks of a passport page run (S45).
public struct PassportChecks: Codable, Sendable, Hashable {
    public var glare, fingers, blur: Bool

    public init(glare: Bool = true, fingers: Bool = true, blur: Bool = true) {
        self.glare = glare
        self.fingers = fingers
        self.blur = blur
    }

    public static let standard = Self()
    public static let none = Self(glare: false, fingers: false, blur: false)
}

/// Which switchable checks of a selfie run (S56).
public struct SelfieChecks: Codable, Sendable, Hashable {
    public var phoneStraight, glasses, coveredFace: Bool

    public init(phoneStraight: Bool = true, glasses: Bool = true, coveredFace: Bool = true) {
        self.phoneStraight = phoneStraight
        self.glasses = glasses
        self.coveredFace = coveredFace
    }

    public static let standard = Self()
    public static let none = Self(phoneStraight: false, glasses: false, coveredFace: false)
}

/// What a session does about the check pipeline.
public enum ChecksMode: String, Codable, Sendable, CaseIterable {
    /// A capture can be confirmed only after it passed.
    case required
    /// A capture can be confirmed before it is checked, and is sent only after it passed. One that fails later must be captured again.
    case deferred
    case off
}
