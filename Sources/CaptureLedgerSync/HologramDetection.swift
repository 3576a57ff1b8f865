import FoundationEssentials

/// What the hologram detection API is asked (S77): exactly these four members.
public struct HologramDetectionInputModel: Codable, Sendable, Hashable {
    /// Base64.
    public let video: String
    /// Degrees.
    public let rotate: Int
    /// Such as `NEW-ID`; `HologramCardType` has them as raw values.
    public let cardType: String
    public let transactionId: String

    public init(video: String, rotate: Int, cardType: String, transactionId: String) {
        self.video = video
        self.rotate = rotate
        self.cardType = cardType
        self.transactionId = transactionId
    }
}

/// What it answers. Entries and members that are not known are left alone.
public struct HologramDetectionResponse: Decodable, Sendable, Hashable {
    public struct ControlResult: Decodable, Sendable, Hashable {
        /// `HOLOGRAM` for the one that holds the score.
        public let entryType: String
        public let entryScore: Double?
    }

    public let controlResults: [ControlResult]
}
