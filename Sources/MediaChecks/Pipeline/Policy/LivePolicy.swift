/// How a live scan comes to a decision over many frames.
package struct LivePolicy: Sendable, Hashable {
    package var passportStreak = 3
    package var selfieStreak = 3
    package var sampleMilliseconds = 300
    package var warmUpMilliseconds = 600
    package var passportHoldMilliseconds = 1000
    package var selfieHoldMilliseconds = 150
    package var lostMilliseconds = 500
    package var resetMilliseconds = 3000
    package var failStreak = 5
    package var averagedFrames = 5
    package var averageScore = 0.5
    package var guidanceMilliseconds = 1000
    package var guidanceRepeatMilliseconds = 5000

    package init() {}
}

extension LivePolicy: PolicySection {
    static let fields: [PolicyField<Self>] = [
        .init("passport_streak", .whole(\.passportStreak, 1...100), "So many good frames in a row make a capture of a page."),
        .init("selfie_streak", .whole(\.selfieStreak, 1...100), "So many good frames in a row make a capture of a face."),
        .init("sample_ms", .whole(\.sampleMilliseconds, 1...10_000), "From one looked-at frame to the next."),
        .init(
            "warm_up_ms", .whole(\.warmUpMilliseconds, 0...60_000), "Frames of the first moments are dropped: exposure settles."
        ),
        .init(
            "passport_hold_ms", .whole(\.passportHoldMilliseconds, 0...60_000), "A page's streak must last at least so long."),
        .init("selfie_hold_ms", .whole(\.selfieHoldMilliseconds, 0...60_000), "A face's streak must last at least so long."),
        .init(
            "lost_ms", .whole(\.lostMilliseconds, 0...600_000),
            "A streak ends when document or face was away for longer."),
        .init("reset_ms", .whole(\.resetMilliseconds, 1...600_000), "A streak ends when no frame came for longer."),
        .init("fail_streak", .whole(\.failStreak, 1...100), "So many bad frames in a row end a streak."),
        .init("averaged_frames", .whole(\.averagedFrames, 1...100), "Of so many frames the mean score is taken."),
        .init("average_score", .number(\.averageScore, 0...1), "A streak's mean score must reach this."),
        .init("guidance_ms", .whole(\.guidanceMilliseconds, 0...600_000), "At least so long from one hint to the next."),
        .init(
            "guidance_repeat_ms", .whole(\.guidanceRepeatMilliseconds, 0...600_000), "The same hint again after so long."),
    ]
}
