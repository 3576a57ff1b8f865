/// When a live scan looks, how long it waits and what it forgives. Times are milliseconds of the frames' own clock.
public struct LiveScanPolicy: Codable, Sendable, Hashable {
    /// Frames of this long after the beginning are dropped: exposure and focus still move.
    public var warmUpMilliseconds: Int64
    /// At least this long between two frames that are looked at.
    public var sampleMilliseconds: Int64
    /// So many good frames are needed.
    public var streak: Int
    /// From the first good frame of a streak to the one that completes it.
    public var holdMilliseconds: Int64
    /// So many bad frames one after the other end a streak; fewer only do not count.
    public var badFrames: Int
    /// A streak ends when the document or the face was away for longer.
    public var lostMilliseconds: Int64
    /// A streak ends when no frame came for longer.
    public var gapMilliseconds: Int64
    /// The mean score of this many frames, the newest ones, a bad one as 0, must reach ``averageScore``.
    public var averagedFrames: Int
    /// 0 to 1.
    public var averageScore: Double
    /// At least this long between two guidance events.
    public var guidanceMilliseconds: Int64
    /// The same guidance again after this long.
    public var guidanceRepeatMilliseconds: Int64

    public init(
        warmUpMilliseconds: Int64 = 600, sampleMilliseconds: Int64 = 300, streak: Int = 3, holdMilliseconds: Int64 = 1_000,
        badFrames: Int = 5, lostMilliseconds: Int64 = 500, gapMilliseconds: Int64 = 3_000, averagedFrames: Int = 5,
        averageScore: Double = 0.5, guidanceMilliseconds: Int64 = 1_000, guidanceRepeatMilliseconds: Int64 = 5_000
    ) {
        self.warmUpMilliseconds = warmUpMilliseconds
        self.sampleMilliseconds = sampleMilliseconds
        self.streak = streak
        self.holdMilliseconds = holdMilliseconds
        self.badFrames = badFrames
        self.lostMilliseconds = lostMilliseconds
        self.gapMilliseconds = gapMilliseconds
        self.averagedFrames = averagedFrames
        self.averageScore = averageScore
        self.guidanceMilliseconds = guidanceMilliseconds
        self.guidanceRepeatMilliseconds = guidanceRepeatMilliseconds
    }

    /// A page must lie still for a second.
    public static let passport = Self()
    /// A face need not: what its frames take.
    public static let selfie = Self(holdMilliseconds: 150)
}

/// What a live selfie is measured by.
public struct SelfieLimits: Codable, Sendable, Hashable {
    /// Mean luma of the picture (BT.601, 0 to 255) that is not too dark.
    public var brightness: Double
    /// How far the face's box stays inside the picture's edges, in fractions of the picture.
    public var margin: HysteresisBand
    /// The face's box as a share of the picture.
    public var faceShare: HysteresisBand
    /// Degrees that the phone may lean back, lean forward, and tilt sideways.
    public var tiltBack: HysteresisBand
    public var tiltForward: HysteresisBand
    public var tiltSideways: HysteresisBand

    public init(
        brightness: Double = 40, margin: HysteresisBand = .init(enter: 0.1, leave: 0.07),
        faceShare: HysteresisBand = .init(enter: 0.11, leave: 0.1), tiltBack: HysteresisBand = .init(enter: 17, leave: 20),
        tiltForward: HysteresisBand = .init(enter: 17, leave: 20), tiltSideways: HysteresisBand = .init(enter: 12, leave: 15)
    ) {
        self.brightness = brightness
        self.margin = margin
        self.faceShare = faceShare
        self.tiltBack = tiltBack
        self.tiltForward = tiltForward
        self.tiltSideways = tiltSideways
    }

    public static let standard = Self()
}
