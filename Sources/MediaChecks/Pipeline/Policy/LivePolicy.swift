/// How a live scan comes to a decision over many frames.
package struct LivePolicy: Sendable, Hashable {
    package var passportStreak = 3
    package var selfieStreak = 3
    package var sampleMilliseconds = 300
    package var warmUpMilliseconds = 600
    package var holdMilliseconds = 600
    package var resetMilliseconds = 3000
    package var failStreak = 5

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
        .init("hold_ms", .whole(\.holdMilliseconds, 0...60_000), "The streak must last at least so long."),
        .init(
            "reset_ms", .whole(\.resetMilliseconds, 1...600_000), "After so long with nothing to see the scan starts anew."),
        .init("fail_streak", .whole(\.failStreak, 1...100), "So many bad frames in a row make guidance change."),
    ]
}
