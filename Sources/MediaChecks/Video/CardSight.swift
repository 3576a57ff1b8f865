package import SessionDomain

/// What was seen of the card in one frame.
package struct CardSight: Sendable, Hashable {
    /// In fractions of the picture that was looked at; nil: no card.
    package var card: NormalizedRect?
    /// The card's photo.
    package var hasFace: Bool

    package init(card: NormalizedRect?, hasFace: Bool) {
        self.card = card
        self.hasFace = hasFace
    }
}

/// Adds up what the frames of a video showed. Memory does not grow with their number.
package struct CardTrack: Sendable {
    package private(set) var frames = 0
    package private(set) var cards = 0
    package private(set) var faces = 0
    private var isSeen = false
    private var absentSince: Int64?
    private var absence: Int64 = 0
    private var lastTime: Int64 = 0

    package init() {}

    package mutating func add(_ sight: CardSight, atMilliseconds time: Int64) {
        frames += 1
        lastTime = time
        if sight.hasFace { faces += 1 }
        if sight.card != nil {
            cards += 1
            isSeen = true
            if let since = absentSince { absence = max(absence, time - since) }
            absentSince = nil
        } else if isSeen, absentSince == nil {
            absentSince = time
        }
    }

    /// Of the frames, those with a card.
    package var cardShare: Double { frames == 0 ? 0 : Double(cards) / Double(frames) }

    /// The longest time without the card after it was first seen.
    ///
    /// - Parameter step: how long the last frame stands for.
    package func longestAbsence(step: Int64) -> Int64 {
        guard let since = absentSince else { return absence }
        return max(absence, lastTime - since + step)
    }
}
