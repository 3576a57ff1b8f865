/// What one frame of a passport's live scan showed. nil: nobody looked, since the check is off, an earlier one failed or there is no model.
public struct PassportFrame: Sendable, Hashable {
    /// The caller's own number of the frame, given back when it is the one to keep.
    public var number: Int
    /// On the frames' own clock, never going back.
    public var timeMilliseconds: Int64
    /// The travel-document rule (S43).
    public var hasDocument: Bool?
    /// No finger lies over the MRZ (S44).
    public var isClearOfFingers: Bool?
    public var isClearOfGlare: Bool?
    public var isSharp: Bool?
    /// Light enough; this one has no switch.
    public var isBright: Bool?
    /// How good the frame is, 0 to 1: the best one of a streak is captured.
    public var score: Double

    public init(
        number: Int, timeMilliseconds: Int64, hasDocument: Bool? = nil, isClearOfFingers: Bool? = nil,
        isClearOfGlare: Bool? = nil, isSharp: Bool? = nil, isBright: Bool? = nil, score: Double = 0
    ) {
        self.number = number
        self.timeMilliseconds = timeMilliseconds
        self.hasDocument = hasDocument
        self.isClearOfFingers = isClearOfFingers
        self.isClearOfGlare = isClearOfGlare
        self.isSharp = isSharp
        self.isBright = isBright
        self.score = score
    }
}
